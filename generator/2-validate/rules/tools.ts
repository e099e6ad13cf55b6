import {
  dottedNames,
  executionDropped,
  longDescription,
  refusedPropertyNames,
  sameDescription,
  textOfResult,
  toolBudget,
} from "../../model/catalogue/rules-items.js";
import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { excludesType } from "../../schema/keyword-values.js";
import { withEnvelope } from "../../selection/envelope.js";
import { countCharacters } from "../../schema/values.js";
import { ownValue } from "../../schema/json-schema.js";
import { clientsMinding, strictestLimit } from "../client-profiles.js";
import { inputProperties } from "../../schema/input-properties.js";
import { has, itemsOf, mappingIn, mappingsIn, rootOf, textIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { namesMeet } from "./names.js";
import { listedTools } from "./exposure.js";

const DEFAULT_TOOL_BUDGET = 40;

/** Warns of more tools than models can choose among well. */
export function checkToolBudget(manifest: LoadedManifest): Diagnostic[] {
  const settings = mappingIn(rootOf(manifest), "diagnostics")?.value;
  const declared = settings?.["toolBudget"];
  const budget = typeof declared === "number" ? declared : DEFAULT_TOOL_BUDGET;
  const found = listedTools(manifest);
  if (budget <= 0 || found <= budget) return [];
  return [toolBudget(manifest.locate(["tools"], "key"), { found, budget })];
}

/** How many tools a warning names. It counts the others. */
const NAMED_TOOLS = 3;

/** Gives one warning for all descriptions of tools that are longer than a client accepts. */
export function checkDescriptionLengths(manifest: LoadedManifest): Diagnostic[] {
  const { limit, client: clients } = strictestLimit("length of descriptions");
  const long = itemsOf(manifest, "tools").filter(
    ({ value }) => countCharacters(textIn(value, "description") ?? "") > limit,
  );
  const [first] = long;
  if (first === undefined) return [];
  const named = long.slice(0, NAMED_TOOLS).map(({ value }) => quoted(textIn(value, "name") ?? ""));
  const place = manifest.locate([...first.path, "description"], "key");
  return [longDescription(place, { found: long.length, named, limit, clients })];
}

/** Gives one warning for all tools whose names have a dot. */
export function checkDottedNames(manifest: LoadedManifest): Diagnostic[] {
  const dotted = itemsOf(manifest, "tools").filter(({ value }) =>
    (textIn(value, "name") ?? "").includes("."),
  );
  const [first] = dotted;
  if (first === undefined) return [];
  const named = dotted
    .slice(0, NAMED_TOOLS)
    .map(({ value }) => quoted(textIn(value, "name") ?? ""));
  const place = manifest.locate([...first.path, "name"], "value");
  return [dottedNames(place, { found: dotted.length, named, ...clientsMinding("dots in names") })];
}

/** The names of properties that the APIs of models take. */
const PLAIN_PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Warns of each tool that has properties with names which the APIs of models refuse. */
export function checkPropertyNames(manifest: LoadedManifest): Diagnostic[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const names = [...inputProperties(ownValue(tool.value, "inputSchema"), shared).keys()];
    const refused = names.filter((name) => !PLAIN_PROPERTY.test(name));
    const [first] = refused;
    if (first === undefined) return [];
    const place = manifest.locate([...tool.path, "inputSchema", "properties", first], "key");
    const named = refused.slice(0, NAMED_TOOLS).map(quoted);
    const minding = clientsMinding("names of properties");
    return [refusedPropertyNames(place, { found: refused.length, named, ...minding })];
  });
}

/** Reports tools with the same description, which models cannot distinguish, unless one of them must be renamed. */
export function checkSameDescriptions(manifest: LoadedManifest): Diagnostic[] {
  const described = new Map<string, { name: string; path: ManifestPath }>();
  return itemsOf(manifest, "tools").flatMap(({ path, value }) => {
    const description = textIn(value, "description")?.trim();
    const name = textIn(value, "name") ?? "";
    if (description === undefined || description === "") return [];
    const earlier = described.get(description);
    if (earlier === undefined) {
      described.set(description, { name, path: [...path, "description"] });
      return [];
    }
    if (namesMeet(name, earlier.name)) return [];
    const first = manifest.locate(earlier.path, "value");
    const parameters = { name: quoted(name), other: quoted(earlier.name), first };
    const related = { ...first, message: "the same description" };
    return [
      sameDescription(manifest.locate([...path, "description"], "value"), parameters, [related]),
    ];
  });
}

/** Warns that `execution`, a field of earlier revisions of the protocol, is ignored. */
export function checkExecution(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools")
    .filter(({ value }) => has(value, "execution"))
    .map(({ path }) => executionDropped(manifest.locate([...path, "execution"], "key"), {}));
}

/** Checks `result.text`: there is a structured value beside the text, and the protocol allows that there is no text. */
export function checkResultTexts(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const result = mappingIn(tool, "result");
    const text = result && textIn(result.value, "text");
    if (result === undefined || text === undefined || text === "json") return [];
    const at = (problem: string, advice: string): Diagnostic[] => [
      textOfResult(manifest.locate([...result.path, "text"], "value"), { problem, advice }),
    ];
    if (has(tool.value, "content") || has(tool.value, "structuredContent")) {
      return at("a fixed answer has the text that the manifest states", "remove `result`");
    }
    const { outputSchema } = withEnvelope<JsonObject>(tool.value);
    if (outputSchema === undefined) {
      const problem = "without an outputSchema, the text is all that there is";
      return at(problem, "add an outputSchema, or remove `result`");
    }
    const schema = isJsonObject(outputSchema) ? outputSchema : {};
    const problem = "the protocol has a text beside every value that is no object";
    return text === "none" && excludesType(schema, "object") ? at(problem, "write `summary`") : [];
  });
}

const OUTCOMES = ["result", "text", "error"];

/** Checks that each example has exactly one outcome. */
export function checkExampleOutcomes(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap((tool) =>
    mappingsIn(tool, "examples").flatMap(({ path, value }) => {
      const [first, second] = OUTCOMES.filter((key) => has(value, key));
      if (first !== undefined && second === undefined) return [];
      const start = manifest.locate(second === undefined ? path : [...path, second], "key");
      const place = { ...start, endLine: start.line, endColumn: start.column + 1 };
      return [contentConflict(place, { what: "an example", keys: OUTCOMES })];
    }),
  );
}
