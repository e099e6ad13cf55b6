import type { JsonObject } from "../../model/json.js";
import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import type { PackageName } from "../project/dependency-versions.js";
import { jsonText } from "../project/json-text.js";

/** A way to get the server: what its key in `package` adds to the project. */
export interface PackageKind {
  /** @param manifestPath path of the manifest, relative to the project */
  readonly files?: (
    model: ServerModel,
    manifestPath: string,
  ) => readonly OutputFile[] | Promise<readonly OutputFile[]>;
  readonly script?: PackageScript;
  /** The packages of its script. */
  readonly packages?: readonly PackageName[];
  /** A sentence for SERVER.md: how people install the server from it. */
  readonly installation?: (model: ServerModel) => string;
}

/** A script of package.json. */
export interface PackageScript {
  readonly name: string;
  readonly command: (model: ServerModel) => string;
  /** What follows the name of the script where it is called; nothing by default. */
  readonly parameters?: string;
  /** What the script does, for the README. */
  readonly words: string;
}

/** A generated file with JSON. */
export function jsonFile(path: string, value: JsonObject): OutputFile {
  return { owner: "generated", path, content: `${jsonText(value)}\n` };
}
