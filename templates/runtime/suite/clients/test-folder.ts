import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A file of the tests' folder, with the content that clients read. */
export interface TestFile {
  readonly path: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Its content in Base64. */
  readonly blob?: string;
  readonly isHidden?: true;
}

/** The files in the folder. */
export const TEST_FILES: readonly TestFile[] = [
  { path: "a.txt", mimeType: "text/plain", text: "A text.\n" },
  { path: "LICENSE", text: "A licence.\n" },
  { path: "notes/ü & %41.md", mimeType: "text/markdown", text: "# Notes\n" },
  { path: "picture.png", mimeType: "image/png", blob: "iVBORw0KGgr/AA==" },
  { path: ".hidden.txt", mimeType: "text/plain", text: "hidden", isHidden: true },
  { path: ".hidden/a.txt", mimeType: "text/plain", text: "hidden", isHidden: true },
];

/** Paths that clients must not read: folders, and links to files outside. */
export const REFUSED_PATHS = ["notes", "out.txt", "out/secret.txt", "absent.txt", "a.txt/b"];

/** A file that is larger than the directory's limit. */
export function tooLargeFile(maxBytes: number): string {
  return `large-${maxBytes}.bin`;
}

/** A folder that replaces all directories. Beside it is a file that clients must not read. */
export class TestFolder {
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
  }

  /** @param limits Sizes in bytes. For each of them, the folder has a larger file. */
  static async open(limits: readonly number[] = []): Promise<TestFolder> {
    const folder = new TestFolder(await mkdtemp(join(tmpdir(), "directory-")));
    for (const { path, text, blob = "" } of TEST_FILES) {
      await folder.#write(join("served", path), text ?? Buffer.from(blob, "base64"));
    }
    for (const limit of limits) {
      await folder.#write(join("served", tooLargeFile(limit)), "");
      await truncate(join(folder.path, tooLargeFile(limit)), limit + 1);
    }
    await folder.#write("outside/secret.txt", "secret");
    await folder.#link("outside/secret.txt", "out.txt");
    await folder.#link("outside", "out");
    return folder;
  }

  /** The folder that replaces the directories, for `createServer` and `createTestContext`. */
  get path(): string {
    return join(this.#parent, "served");
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    await rm(this.#parent, { recursive: true, force: true });
  }

  async #write(path: string, content: string | Buffer): Promise<void> {
    const file = join(this.#parent, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Makes a link. Some systems allow that to administrators only. Without the link, reading its path must fail, too. */
  async #link(target: string, name: string): Promise<void> {
    await symlink(join(this.#parent, target), join(this.path, name)).catch(() => undefined);
  }
}
