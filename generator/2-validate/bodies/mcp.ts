import { unsentArgument } from "../../model/catalogue/bodies.js";
import { remoteTemplate } from "../../model/catalogue/mcp-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { argumentsIn } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import { has, textIn } from "../manifest-view.js";
import { checkPlaceholders } from "../rules/placeholders.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { textsInJson } from "./json-texts.js";
import { answerConflicts } from "./answer-conflicts.js";
import { strictProblems } from "./strict-bodies.js";
import { upstreamProblems } from "./upstream-of-body.js";

/** Checks `mcp` bodies: the other MCP server, and the arguments or the URI that it gets. */
export function checkMcpBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "mcp").flatMap((item) => [
    ...upstreamProblems(manifest, item, "mcp"),
    ...answerConflicts(manifest, item, "mcp"),
    ...strictProblems(manifest, item),
    ...argumentProblems(manifest, item),
    ...templateProblems(manifest, item),
  ]);
}

function argumentProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body, names, what } = item;
  if (!has(body.value, "arguments")) return [];
  const texts = textsInJson(body.value["arguments"], [...body.path, "arguments"]);
  const problems = texts.flatMap(({ text, path }) =>
    checkPlaceholders(manifest, path, text, names, what),
  );
  // An unknown name may be the misspelt name of an argument that seems unsent.
  if (problems.length > 0) return problems;
  const used = new Set(
    texts.flatMap(({ text }) => argumentsIn(parseTextTemplate(text, names).template)),
  );
  const place = manifest.locate([...body.path, "arguments"], "key");
  return [...names]
    .filter((name) => !used.has(name))
    .map((name) => unsentArgument(place, { name }));
}

/** Checks the template at the other server. It is the item's template if the body names none. */
function templateProblems(manifest: LoadedManifest, { item, body, names }: BodyItem): Diagnostic[] {
  const remoteText = textIn(body.value, "uriTemplate");
  const text = remoteText ?? textIn(item.value, "uriTemplate");
  if (text === undefined) return [];
  const holder = remoteText === undefined ? item : body;
  const place = manifest.locate([...holder.path, "uriTemplate"], "value");
  const parsed = parseUriTemplate(text);
  if (!parsed.ok) {
    // Other rules check the item's template.
    return remoteText === undefined
      ? []
      : [remoteTemplate(place, { problem: "it is no URI template" })];
  }
  const expressions = parsed.parts.filter((part) => part.kind === "expression");
  const unknown = expressions.flatMap((part) => part.names).find((name) => !names.has(name));
  if (unknown === undefined) return [];
  const problem = `the item's own template has no variable "${unknown}"`;
  return [remoteTemplate(place, { problem })];
}
