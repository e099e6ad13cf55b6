import type { Place } from "../../model/place.js";
import { missingDescription } from "../../model/catalogue/rules-items.js";
import {
  contentConflict,
  duplicateUri,
  nearVariable,
  servedSecret,
  unknownVariable,
} from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { appUri } from "../../text/app-uri.js";
import { nearestName } from "../../text/nearest-name.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import { entriesIn, has, itemsOf, textIn, type Mapping } from "../manifest-view.js";
import { placeInText } from "../source-text.js";
import { quoted } from "../../text/value-words.js";
import { appFileOf } from "./apps.js";
import { holdsSecrets } from "./secrets.js";

/** Reports resources with the same URI and equal URI templates. */
export function checkUris(manifest: LoadedManifest): Diagnostic[] {
  return [
    ...duplicatesOf(manifest, "resources", "uri", appUris(manifest)),
    ...duplicatesOf(manifest, "resourceTemplates", "uriTemplate"),
  ];
}

/** The URIs of the MCP Apps of tools. */
function appUris(manifest: LoadedManifest): [string, Place][] {
  return itemsOf(manifest, "tools").flatMap(({ path, value }) => {
    const name = textIn(value, "name");
    if (name === undefined || !has(value, "ui")) return [];
    return [[appUri(name), manifest.locate([...path, "ui"], "key")]];
  });
}

function duplicatesOf(
  manifest: LoadedManifest,
  list: string,
  key: string,
  taken: readonly [string, Place][] = [],
): Diagnostic[] {
  const first = new Map(taken);
  return itemsOf(manifest, list).flatMap(({ path, value }) => {
    const uri = textIn(value, key);
    if (uri === undefined) return [];
    const place = manifest.locate([...path, key], "value");
    const earlier = first.get(uri);
    if (earlier === undefined) {
      first.set(uri, place);
      return [];
    }
    const parameters = { found: quoted(uri), first: earlier };
    return [duplicateUri(place, parameters, [{ ...earlier, message: "the first one" }])];
  });
}

const FIXED_CONTENT = ["text", "blob", "file"];

/** Checks that each resource has at most one kind of fixed content. */
export function checkFixedContent(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "resources").flatMap(({ path, value }) => {
    const [, second] = FIXED_CONTENT.filter((key) => has(value, key));
    if (second === undefined) return [];
    const place = manifest.locate([...path, second], "key");
    return [contentConflict(place, { what: "a resource with fixed content", keys: FIXED_CONTENT })];
  });
}

/** Reports resources and pages of apps that would show a file with keys or passwords to every caller. */
export function checkServedFiles(manifest: LoadedManifest): Diagnostic[] {
  const served = [
    ...itemsOf(manifest, "resources").map(({ path, value }) => ({
      path: [...path, "file"],
      file: textIn(value, "file"),
    })),
    ...itemsOf(manifest, "tools").map(appFileOf),
  ];
  return served.flatMap((one) => {
    if (one?.file === undefined || !holdsSecrets(one.file)) return [];
    return [servedSecret(manifest.locate(one.path, "value"), { found: quoted(one.file) })];
  });
}

/** Checks that `complete` names variables of the template. */
export function checkTemplateCompletion(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "resourceTemplates").flatMap((template) => {
    const parsed = parseUriTemplate(textIn(template.value, "uriTemplate") ?? "{");
    if (!parsed.ok) return [];
    const variables = parsed.parts.flatMap((part) => (part.kind === "literal" ? [] : part.names));
    return unknownVariables(manifest, template, variables);
  });
}

function unknownVariables(
  manifest: LoadedManifest,
  template: Mapping,
  variables: readonly string[],
): Diagnostic[] {
  return entriesIn(template, "complete")
    .filter(([name]) => !variables.includes(name))
    .map(([name, , path]) => {
      const nearest = nearestName(name, variables);
      const parameters = { found: quoted(name), ...(nearest !== undefined && { nearest }) };
      return unknownVariable(manifest.locate(path, "key"), parameters);
    });
}

/** A variable as web frameworks write it: `/users/:id`. */
const COLON_VARIABLE = /(?<=[^/]\/):([A-Za-z_][A-Za-z0-9_]*)(?=[/?]|$)/g;

/** Warns of text in URI templates that is a variable in another notation. */
export function checkTemplateText(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "resourceTemplates").flatMap(({ path, value }) => {
    const template = textIn(value, "uriTemplate");
    if (template === undefined || !parseUriTemplate(template).ok) return [];
    const place = ({ 0: { length }, index }: RegExpExecArray) =>
      placeInText(manifest, [...path, "uriTemplate"], template, index, length);
    return [
      ...[...template.matchAll(/\$(?=\{([^{}]+)\})/g)].map((match) =>
        nearVariable(place(match), {
          found: '"$" before the variable',
          written: `write {${match[1]}} alone`,
        }),
      ),
      ...[...template.matchAll(COLON_VARIABLE)].map((match) =>
        nearVariable(place(match), {
          found: quoted(match[0]),
          written: `a variable is written {${match[1]}}`,
        }),
      ),
    ];
  });
}

const DESCRIBED_LISTS = {
  resources: "the resource",
  resourceTemplates: "the resource template",
  prompts: "the prompt",
} as const;

/** Warns of resources, templates and prompts without a description. The structure check requires one of tools. */
export function checkDescriptions(manifest: LoadedManifest): Diagnostic[] {
  return Object.entries(DESCRIBED_LISTS).flatMap(([list, what]) =>
    itemsOf(manifest, list).flatMap(({ path, value }) => {
      const name = textIn(value, "name");
      if (name === undefined || value["description"] !== undefined) return [];
      const place = manifest.locate([...path, "name"], "value");
      return [missingDescription(place, { what: `${what} ${quoted(name)}` })];
    }),
  );
}
