import { readFileSync } from "node:fs";
import type { JsonObject } from "../../model/json.js";
import type { GeneratedFile } from "../../model/output-file.js";
import { packageRoot } from "../../text/package-root.js";

/** The name of the package that generated servers run on. */
export const RUNTIME_PACKAGE = "@mcpwright/runtime";

/** The start of the specifiers by which projects depend on the tarball that mcpwright writes. */
export const VENDORED = "file:vendor/mcpwright-runtime-";

/** What the build of mcpwright says about the runtime that it has packed. */
interface PackedRuntime {
  readonly version: string;
  /** When its sources were committed, in UTC. Absent from a build without a history. */
  readonly sourceDate?: string;
}

let packed: PackedRuntime | undefined;

function packedRuntime(): PackedRuntime {
  packed ??= JSON.parse(
    readFileSync(new URL("dist/runtime.json", packageRoot), "utf8"),
  ) as PackedRuntime;
  return packed;
}

/** The version of the runtime that this mcpwright generates for. It ends with a hash of the runtime's files. */
export function runtimeVersion(): string {
  return packedRuntime().version;
}

/** The dependency of a new project on the runtime. */
export function runtimeDependency(): JsonObject {
  return { [RUNTIME_PACKAGE]: `${VENDORED}${runtimeVersion()}.tgz` };
}

/** True for the path of a tarball of the runtime, of any version. */
export function isRuntimeFile(path: string): boolean {
  return path.startsWith(VENDORED.slice("file:".length));
}

/** The version of the runtime in a tarball, by its path. */
export function versionOfRuntimeFile(path: string): string {
  return path.slice(VENDORED.length - "file:".length, -".tgz".length);
}

let file: GeneratedFile | undefined;

/** The runtime as a tarball in the project, so that it is installed without any registry. */
export function runtimeFile(): GeneratedFile {
  file ??= readRuntimeFile();
  return file;
}

function readRuntimeFile(): GeneratedFile {
  const content = readFileSync(new URL("dist/runtime.tgz", packageRoot), "base64");
  const path = `vendor/mcpwright-runtime-${runtimeVersion()}.tgz`;
  const { sourceDate } = packedRuntime();
  const dated = sourceDate === undefined ? {} : { sourceDate };
  return { owner: "generated", path, content, encoding: "base64", ...dated };
}
