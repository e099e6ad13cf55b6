import type { Skill, SkillCatalog, SkillFiles } from "@modelcontextprotocol/server/ext/skills";
import { OpenDirectory } from "../directories/directory.js";
import type { FoundFile } from "../directories/listing.js";
import type { Logger } from "../observe/log.js";
import type { SkillFolder } from "./definition.js";

/** A catalog is compared with its folder again after this time, in milliseconds. */
const FRESH_MS = 1000;

/** The skills in a folder, as clients get them. They are read anew when a file has changed. */
export class FolderSkills {
  readonly #name: string;
  readonly #directory: OpenDirectory;
  readonly #log: Pick<Logger, "warning">;
  #catalog: SkillCatalog | undefined;
  /** The paths, sizes and times of the files of which the catalog was made. */
  #signature = "";
  #checkedAt = -Infinity;
  #checking: Promise<readonly Skill[]> | undefined;

  /** @param folder the absolute path of the folder */
  constructor(
    { template }: Pick<SkillFolder, "template">,
    folder: string,
    log: Pick<Logger, "warning">,
  ) {
    this.#name = template;
    this.#log = log;
    this.#directory = new OpenDirectory(folder, { signal: new AbortController().signal, log });
  }

  /** The skills, sorted by URI. @throws Error if the folder cannot be read */
  entries(): Promise<readonly Skill[]> {
    return (this.#checking ??= this.#check().finally(() => (this.#checking = undefined)));
  }

  async #check(): Promise<readonly Skill[]> {
    if (this.#catalog !== undefined && performance.now() - this.#checkedAt < FRESH_MS) {
      return this.#catalog.entries;
    }
    const files = await this.#directory.files();
    const signature = JSON.stringify(files);
    if (this.#catalog === undefined || signature !== this.#signature) {
      const { SkillCatalog: Catalog } = await import("@modelcontextprotocol/server/ext/skills");
      this.#catalog = await Catalog.load(this.#skillFiles(files), {
        onWarning: ({ path, message }) => this.#log.warning("a skill", { path, problem: message }),
      });
      this.#signature = signature;
    }
    this.#checkedAt = performance.now();
    return this.#catalog.entries;
  }

  /** The files as the SDK walks through them: below a folder with the name that is in URIs. */
  #skillFiles(files: readonly FoundFile[]): SkillFiles {
    const folders = new Map<string, Map<string, "file" | "directory">>();
    for (const { path } of files) {
      const segments = [this.#name, ...path.split("/")];
      for (const [depth, name] of segments.entries()) {
        const folder = segments.slice(0, depth).join("/");
        const entries = folders.get(folder) ?? new Map<string, "file" | "directory">();
        entries.set(name, depth === segments.length - 1 ? "file" : "directory");
        folders.set(folder, entries);
      }
    }
    return {
      list: async (folder) =>
        [...(folders.get(folder) ?? [])].map(([name, kind]) => ({ name, kind })),
      read: async (path) => this.#directory.bytes(path.slice(this.#name.length + 1)),
    };
  }
}
