import { runtimeFile, RUNTIME_PACKAGE, VENDORED } from "../5-emit/project/runtime-package.js";
import { isJsonObject, parsedJson, type JsonObject } from "../model/json.js";
import type { OutputFile } from "../model/output-file.js";
import { textAt, type ProjectTree } from "./tree.js";

/** The members of `package.json` that may name the runtime. */
const SECTIONS = ["dependencies", "devDependencies"] as const;

/**
 * Adds the package of the runtime to the files of a project. Where the owner has chosen where the runtime comes from
 * (a registry, the workspace, a folder), the choice stays, and no tarball is written.
 */
export function withRuntime(
  files: readonly OutputFile[],
  tree: ProjectTree,
): readonly OutputFile[] {
  const owners = chosenRuntime(tree);
  if (owners === undefined) return [...files, runtimeFile()];
  return files.map((file) =>
    file.path === "package.json" ? { ...file, content: withChoice(file.content, owners) } : file,
  );
}

/** Where the owner of a project has said that the runtime comes from; undefined where it is the vendored one. */
export function chosenRuntime(tree: ProjectTree): Choice | undefined {
  const text = textAt(tree, "package.json");
  return text === undefined ? undefined : choiceIn(text);
}

/** Where an owner has said that the runtime comes from. */
export interface Choice {
  readonly section: (typeof SECTIONS)[number];
  readonly specifier: string;
}

/** Undefined where the text names no other runtime than the vendored one, or is no JSON, which is reported elsewhere. */
function choiceIn(packageJson: string): Choice | undefined {
  const value = parsedJson(packageJson);
  if (!isJsonObject(value)) return undefined;
  for (const section of SECTIONS) {
    const listed = value[section];
    const specifier = isJsonObject(listed) ? listed[RUNTIME_PACKAGE] : undefined;
    if (typeof specifier === "string" && !specifier.startsWith(VENDORED)) {
      return { section, specifier };
    }
  }
  return undefined;
}

function withChoice(packageJson: string, { section, specifier }: Choice): string {
  const value = JSON.parse(packageJson) as Record<string, JsonObject>;
  const { [RUNTIME_PACKAGE]: _vendored, ...others } = value["devDependencies"] ?? {};
  const devDependencies = others as JsonObject;
  const own = section === "devDependencies" ? devDependencies : (value[section] ?? {});
  const document = {
    ...value,
    devDependencies,
    [section]: { [RUNTIME_PACKAGE]: specifier, ...own },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
