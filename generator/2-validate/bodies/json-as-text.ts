import { jsonAsText } from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
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
    const [first] = template;
    const last = template.at(-1);
    const [name] = insertedArguments(template);
    // A text in braces may be a query of another language, which `text` sends as it stands.
    const beginning = key === "body" ? /^[{[]/ : /^(?:\{\s*"|\[)/;
    const isJson =
      typeof first === "string" &&
      typeof last === "string" &&
      beginning.test(first) &&
      last.endsWith(first.startsWith("{") ? "}" : "]");
    if (!isJson || (key === "text" && name === undefined)) return [];
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

const LONGEST_JSON = 100;

/** JSON in one line, which is also YAML, with quotes around placeholders. Undefined for what is too long or no JSON. */
function asValue(text: string): string | undefined {
  if (text.length > LONGEST_JSON || text.includes("\n")) return undefined;
  return [text, text.replace(/\{\{[^{}"]+\}\}/g, '"$&"')].find(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
