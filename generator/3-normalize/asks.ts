import type { JsonObject } from "../model/json.js";
import type { ManifestElicitation, ManifestElicitations, ManifestUses } from "../model/manifest.js";
import type { AsksModel, ElicitationModel, QuestionValueModel } from "../model/server-model.js";
import { parseTextTemplate } from "../text/text-template.js";

interface Asking {
  readonly uses?: ManifestUses;
  readonly elicitations?: ManifestElicitations;
}

/** What an item's handler may ask for, as a field to spread; nothing where the manifest names nothing. */
export function normalizeAsks({ uses = [], elicitations = {} }: Asking): { asks?: AsksModel } {
  const asks = {
    elicitations: Object.entries(elicitations).map(([key, one]) => normalizeElicitation(key, one)),
    sampling: uses.includes("sampling"),
    roots: uses.includes("roots"),
  };
  return asks.elicitations.length > 0 || asks.sampling || asks.roots ? { asks } : {};
}

function normalizeElicitation(key: string, elicitation: ManifestElicitation): ElicitationModel {
  const { message, url, requestedSchema } = elicitation;
  const values = valuesOf([message, url ?? ""]);
  const names = new Set(values.map(({ name }) => name));
  const compile = (text: string) => parseTextTemplate(text, names).template;
  const asked = { key, text: message, message: compile(message), values };
  return url === undefined
    ? { kind: "form", ...asked, schema: requestedSchema as JsonObject }
    : { kind: "url", ...asked, url: compile(url) };
}

/**
 * The values that the texts of a question name. One that is only ever asked about, or stands in a
 * section that depends on it, may be left out.
 */
function valuesOf(texts: readonly string[]): QuestionValueModel[] {
  const required = new Map<string, boolean>();
  for (const text of texts) {
    const open: string[] = [];
    // `{{{{` is text; it goes first, so that it is no part of a placeholder.
    for (const [found, mark, name] of text.matchAll(/\{\{\{\{|\{\{([#^/]?)([^\s{}]+)\}\}/g)) {
      if (name === undefined || found === "{{{{") continue;
      if (mark === "#") open.push(name);
      else if (mark === "^") open.push("");
      else if (mark === "/") open.pop();
      const isNeeded = mark === "" && !open.includes(name);
      required.set(name, (required.get(name) ?? false) || isNeeded);
    }
  }
  return [...required].map(([name, isRequired]) => ({ name, required: isRequired }));
}
