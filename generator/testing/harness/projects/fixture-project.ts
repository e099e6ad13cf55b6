import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "./generated-project.js";

/** A manifest of `fixtures/` and copies of the project that is generated from it, once for a test file. */
export class FixtureProject {
  readonly #name: string;
  readonly #folders: string[] = [];
  #generated: Promise<string> | undefined;

  /** @param name of a folder of `fixtures/` */
  constructor(name: string) {
    this.#name = name;
  }

  /** A copy of the project as it is generated first. @returns its folder */
  async copy(): Promise<string> {
    this.#generated ??= this.#generate();
    const folder = await this.#newFolder();
    await cp(await this.#generated, folder, { recursive: true });
    return folder;
  }

  /** Has a further folder removed with the others. */
  add(folder: string): void {
    this.#folders.push(folder);
  }

  /** Removes all copies. */
  async remove(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  async #generate(): Promise<string> {
    const folder = await this.#newFolder();
    const fixture = new URL(`generator/testing/fixtures/${this.#name}`, packageRoot);
    await cp(fileURLToPath(fixture), folder, { recursive: true });
    await runCommand(folder, "generate");
    return folder;
  }

  async #newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `mcpwright-${this.#name}-`));
    this.add(folder);
    return folder;
  }
}

/** Runs a command of mcpwright, which must succeed. @returns its output */
export async function runCommand(folder: string, ...argv: string[]): Promise<string> {
  const { status, out, err } = await mcpwright(folder, ...argv);
  // A plan that has something to do is said by its status.
  assert.is(status, argv[0] === "plan" ? 2 : 0, out + err);
  return out;
}

/** Replaces a part of the manifest, which must change. */
export async function editManifest(
  folder: string,
  change: (manifest: string) => string,
): Promise<void> {
  const path = join(folder, "mcp.yaml");
  const manifest = await readFile(path, "utf8");
  const changed = change(manifest);
  assert.is.not(changed, manifest);
  await writeFile(path, changed);
}

/** Generated code without the comment above it that says so. */
export function withoutHeader(text: string): string {
  return text.replace(/^\/\/.*\n\n/, "");
}
