import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import {
  entriesIn,
  has,
  itemsOf,
  mappingIn,
  mappingsIn,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { NO_ARGUMENTS, type BodyItem, type ItemArguments } from "./body-item.js";

/** What finds the values of a completion, or the instances of a template. */
interface Source extends ItemArguments {
  readonly source: Mapping;
  readonly what: string;
  /** The argument or variable that it completes; absent where it lists. */
  readonly completed?: string;
}

/** A body that finds values, and what it completes. */
export interface SourceItem extends BodyItem {
  readonly completed?: string;
}

const KINDS = ["http", "sql"];

/** The bodies of a kind that find values. */
export function sourcesWithBody(manifest: LoadedManifest, kind: string): SourceItem[] {
  return sourcesOf(manifest).flatMap(({ source, completed, ...found }) => {
    const body = mappingIn(source, kind);
    if (body === undefined) return [];
    // A statement without what was typed would be cut before it came to the values that are wanted.
    const needed = new Set(kind === "sql" && completed !== undefined ? [completed] : []);
    const item = { ...found, item: source, body, needed, isSource: true as const };
    return [{ ...item, ...(completed !== undefined && { completed }) }];
  });
}

/** What finds values is one body. */
export function checkSources(manifest: LoadedManifest): Diagnostic[] {
  return sourcesOf(manifest)
    .filter(({ source }) => !KINDS.some((kind) => has(source.value, kind)))
    .map(({ source, completed }) => {
      const what = completed === undefined ? "list" : "complete";
      return contentConflict(manifest.locate(source.path, "value"), { what, keys: KINDS });
    });
}

function sourcesOf(manifest: LoadedManifest): Source[] {
  return [
    ...itemsOf(manifest, "resourceTemplates").flatMap(sourcesOfTemplate),
    ...itemsOf(manifest, "prompts").flatMap(sourcesOfPrompt),
  ];
}

function sourcesOfTemplate(template: Mapping): Source[] {
  const parsed = parseUriTemplate(textIn(template.value, "uriTemplate") ?? "");
  const parts = parsed.ok ? parsed.parts : [];
  const names = parts.flatMap((part) => (part.kind === "literal" ? [] : part.names));
  const what = "the template";
  const list = mappingIn(template, "list");
  return [
    ...entriesIn(template, "complete").flatMap(([name, value, path]) =>
      completionSource(name, value, path, names, what),
    ),
    ...(list === undefined ? [] : [{ ...NO_ARGUMENTS, source: list, what }]),
  ];
}

function sourcesOfPrompt(prompt: Mapping): Source[] {
  const declared = mappingsIn(prompt, "arguments");
  const names = declared.flatMap(({ value }) => textIn(value, "name") ?? []);
  return declared.flatMap(({ value, path }) =>
    completionSource(
      textIn(value, "name") ?? "",
      value["complete"],
      [...path, "complete"],
      names,
      "the prompt",
    ),
  );
}

/** At most one. The values that it may name are texts; nothing is asked before those in a path are known. */
function completionSource(
  completed: string,
  value: unknown,
  path: ManifestPath,
  names: readonly string[],
  what: string,
): Source[] {
  if (!isJsonObject(value as never)) return [];
  const source = { path, value: value as Mapping["value"] };
  const facts = {
    names: new Set(names),
    isAlwaysPresent: () => true,
    typesOf: () => ["string"],
    schemaOf: () => undefined,
  };
  return [{ ...facts, source, completed, what }];
}
