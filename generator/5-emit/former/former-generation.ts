import { areWrittenAlike, type JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { SERVER_TEXTS } from "../../model/server-texts.js";

/** What this same mcpwright generated before. */
export interface FormerGeneration {
  model(): ServerModel;
  /** A generated file, as it was generated then; `undefined` where it is not known to be. */
  text(path: string): string | undefined;
  /** The same in UTF-8. */
  bytes(path: string): Buffer | undefined;
  /** Hash of a file as it was generated then, whatever has become of it since. */
  hash(path: string): string | undefined;
  readonly tools: FormerTools;
}

/** The tools of a former manifest. */
export interface FormerTools {
  /** Their names, in order. */
  readonly names: readonly string[];
  /** Those of them that the manifest describes now as it did then, by name: the same comes of them. */
  readonly kept: ReadonlySet<string>;
  /** Whether nothing but tools differs between the manifests, and what they say of the server as a whole. */
  readonly restIsSame: boolean;
  /** Whether what they say of the server is the same as well. */
  readonly serverIsSame: boolean;
  /**
   * Whether of tools only texts differ, which only lists, documents and stubs of handlers show, and outside of
   * them only what is said of the server.
   */
  readonly onlyTextsDiffer: boolean;
}

/** Compares the tools of two manifests in canonical form. */
export function formerTools(former: JsonObject, manifest: JsonObject): FormerTools {
  const [then, now] = [toolsByName(former), toolsByName(manifest)];
  const different = differentOutsideTools(former, manifest);
  const isMeantAlike = !different.some((key) => WITHIN_TOOLS.has(key));
  const kept = [...now].filter(
    ([name, tool]) => isMeantAlike && areWrittenAlike(then.get(name), tool),
  );
  const names = [...then.keys()];
  const restIsSame = different.every((key) => ABOUT_SERVER.has(key));
  return {
    names,
    kept: new Set(kept.map(([name]) => name)),
    restIsSame,
    serverIsSame: different.length === 0,
    onlyTextsDiffer:
      restIsSame &&
      areWrittenAlike(names, [...now.keys()]) &&
      names.every((name) => areAlikeButForTexts(then.get(name), now.get(name))),
  };
}

/** The keys, but for `tools`, of which two manifests in canonical form say something different. */
export function differentOutsideTools(former: JsonObject, manifest: JsonObject): string[] {
  const keys = new Set([...Object.keys(former), ...Object.keys(manifest)]);
  keys.delete("tools");
  return [...keys].filter((key) => !areWrittenAlike(former[key], manifest[key]));
}

/** What a manifest says of the server as a whole: nothing that is said of an item depends on it. */
export const ABOUT_SERVER: ReadonlySet<string> = new Set(["version", ...SERVER_TEXTS]);

/** Texts of a tool on which nothing depends. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description"]);

function areAlikeButForTexts(tool: JsonObject = {}, other: JsonObject = {}): boolean {
  if (areWrittenAlike(tool, other)) return true;
  const members = new Set([...Object.keys(tool), ...Object.keys(other)]);
  return [...members].every((key) => TEXTS.has(key) || areWrittenAlike(tool[key], other[key]));
}

/** What else of a manifest decides about the meaning of a tool. */
const WITHIN_TOOLS: ReadonlySet<string> = new Set(["manifestVersion", "schemas", "schemaRefs"]);

function toolsByName({ tools = [] }: JsonObject): Map<string, JsonObject> {
  return new Map((tools as JsonObject[]).map((tool) => [String(tool["name"]), tool]));
}
