import { unsentArgument } from "../../model/catalogue/bodies.js";
import { remoteTemplate } from "../../model/catalogue/mcp-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import { has, textIn } from "../manifest-view.js";
import { checkText } from "../rules/placeholders.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { argumentsIn } from "./exec-command.js";
import { otherAnswers } from "./other-answers.js";
import { upstreamProblems } from "./upstream-of-body.js";

/** Bodies that pass a call on to another MCP server: which server that is, and what it gets. */
export function checkMcpBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "mcp").flatMap((item) => [
    ...upstreamProblems(manifest, item, "mcp"),
    ...otherAnswers(manifest, item, "mcp"),
    ...argumentProblems(manifest, item),
    ...templateProblems(manifest, item),
  ]);
}

/** A text among the arguments, and where it stands. */
interface ArgumentText {
  readonly text: string;
  readonly path: ManifestPath;
}

function argumentProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body, names, what } = item;
  if (!has(body.value, "arguments")) return [];
  const texts = textsIn(body.value["arguments"], [...body.path, "arguments"]);
  const problems = texts.flatMap(({ text, path }) => checkText(manifest, path, text, names, what));
  // Another name may stand in for the one that is missing.
  if (problems.length > 0) return problems;
  const used = new Set(
    texts.flatMap(({ text }) => argumentsIn(parseTextTemplate(text, names).template)),
  );
  const place = manifest.locate([...body.path, "arguments"], "key");
  return [...names]
    .filter((name) => !used.has(name))
    .map((name) => unsentArgument(place, { name }));
}

function textsIn(value: JsonValue | undefined, path: ManifestPath): ArgumentText[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, [...path, index]));
  if (!isJsonObject(value ?? null)) return [];
  return Object.entries(value as object).flatMap(([key, member]) =>
    textsIn(member as JsonValue, [...path, key]),
  );
}

/** The template at the other server, which is the item's own where the body names none. */
function templateProblems(manifest: LoadedManifest, { item, body, names }: BodyItem): Diagnostic[] {
  const own = textIn(body.value, "uriTemplate");
  const text = own ?? textIn(item.value, "uriTemplate");
  if (text === undefined) return [];
  const holder = own === undefined ? item : body;
  const place = manifest.locate([...holder.path, "uriTemplate"], "value");
  const parsed = parseUriTemplate(text);
  if (!parsed.ok) {
    // The item's own is judged by other rules.
    return own === undefined ? [] : [remoteTemplate(place, { problem: "it is no URI template" })];
  }
  const expressions = parsed.parts.filter((part) => part.kind === "expression");
  const unknown = expressions.flatMap((part) => part.names).find((name) => !names.has(name));
  if (unknown === undefined) return [];
  const problem = `the item's own template has no variable "${unknown}"`;
  return [remoteTemplate(place, { problem })];
}
