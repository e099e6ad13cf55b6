import { BODIES, BODY_KEYS } from "../../bodies/index.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
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

/** The mapping under `complete` or `list` whose body finds the values of a completion or the URIs of a template. */
interface Source extends ItemArguments {
  readonly source: Mapping;
  readonly what: string;
  /** The argument or variable that it completes. Absent for a list. */
  readonly completed?: string;
}

/** The body of a source. */
export interface SourceItem extends BodyItem {
  /** The argument or variable that it completes. Absent for a list. */
  readonly completed?: string;
}

/** The kinds of bodies that `complete` and `list` may have. Others find the instances of their own templates alone. */
const KINDS = BODY_KEYS.filter(
  (kind) => BODIES[kind].isSource && BODIES[kind].instances === undefined,
);

/** The bodies of a kind that find values for completions and lists. */
export function sourcesWithBody(manifest: LoadedManifest, kind: string): SourceItem[] {
  return sourcesOf(manifest).flatMap(({ source, completed, ...arguments_ }) => {
    const body = mappingIn(source, kind);
    if (body === undefined) return [];
    const needed = new Set<string>();
    const item = { ...arguments_, item: source, body, needed, isSource: true as const };
    return [{ ...item, ...(completed !== undefined && { completed }) }];
  });
}

/** Checks that each completion and list that is a mapping has a body. */
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

/** The source of a completion, or none. Its arguments are texts, and it runs only if those in a path are known. */
function completionSource(
  completed: string,
  value: JsonValue | undefined,
  path: ManifestPath,
  names: readonly string[],
  what: string,
): Source[] {
  if (!isJsonObject(value)) return [];
  const source = { path, value };
  const arguments_ = {
    names: new Set(names),
    isAlwaysPresent: () => true,
    typesOf: () => ["string"],
    schemaOf: () => undefined,
  };
  return [{ ...arguments_, source, completed, what }];
}
