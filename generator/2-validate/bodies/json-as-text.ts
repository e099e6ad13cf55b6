import { jsonAsText } from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { parsedJson } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { insertedArguments } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { textIn } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** Reports JSON in quotes: under `body` it is encoded once more, and under `text` nothing escapes the values in it. */
export function jsonAsTextProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body, names } = item;
  return (["body", "text"] as const).flatMap((key) => {
    const text = textIn(body.value, key)?.trim() ?? "";
    const { template } = parseTextTemplate(text, names);
    const [name] = insertedArguments(template);
    const [first] = template;
    if (typeof first !== "string" || (key === "text" && name === undefined)) return [];
    // Under `text`, what only looks like JSON may be another language. Under `body`, it is a JSON text at any rate.
    if (!looksLikeJson(text) || (key === "text" && !formsOf(text).some(isJson))) return [];
    const place = manifest.locate([...body.path, key], "value");
    const kind = first.startsWith("{") ? "a mapping" : "a list";
    const json = asValue(text);
    return [
      jsonAsText(place, {
        key,
        kind,
        ...(name !== undefined && { name }),
        ...(json !== undefined && { json }),
      }),
    ];
  });
}

/** True for a text in braces, and for one in brackets whose first item may be a value of JSON. */
function looksLikeJson(text: string): boolean {
  return /^(?:\{[^]*\}|\[\s*["{\d][^]*\])$/.test(text);
}

const PLACEHOLDER = /\{\{[^{}"]+\}\}/g;

/** A text as JSON: its placeholders may stand in texts, where texts are due, and where numbers are due. */
function formsOf(text: string): string[] {
  return [text, text.replace(PLACEHOLDER, '"$&"'), text.replace(PLACEHOLDER, "0")];
}

const LONGEST_JSON = 100;

/** JSON in one line, which is also YAML, with quotes around placeholders. Undefined for what is too long or no JSON. */
function asValue(text: string): string | undefined {
  if (text.length > LONGEST_JSON || text.includes("\n")) return undefined;
  // The last form has lost the placeholders.
  return formsOf(text).slice(0, 2).find(isJson);
}

function isJson(text: string): boolean {
  return parsedJson(text) !== undefined;
}
