import type { JsonObject } from "../model/json.js";
import type { ManifestElicitation, ManifestElicitations, ManifestUses } from "../model/manifest.js";
import type { AsksModel, ConfirmModel, ElicitationModel } from "../model/server-model.js";
import type { TextTemplate } from "../model/text-template.js";
import { questionValues } from "../text/question-values.js";
import { parseTextTemplate } from "../text/text-template.js";

/** An item with what its handler may ask for. */
interface AskingItem {
  readonly uses?: ManifestUses;
  readonly elicitations?: ManifestElicitations;
}

/** What an item's handler may ask for, as a field to spread. Nothing if the manifest names nothing. */
export function normalizeAsks({ uses = [], elicitations = {} }: AskingItem): { asks?: AsksModel } {
  const asks = {
    elicitations: Object.entries(elicitations).map(([key, elicitation]) =>
      normalizeElicitation(key, elicitation),
    ),
    sampling: uses.includes("sampling"),
    roots: uses.includes("roots"),
  };
  return asks.elicitations.length > 0 || asks.sampling || asks.roots ? { asks } : {};
}

/** The question whether a tool may run, as a field to spread. @param names the names of its arguments */
export function normalizeConfirm(
  { confirm }: { readonly confirm?: string },
  names: readonly string[],
): { confirm?: ConfirmModel } {
  if (confirm === undefined) return {};
  const { template: message } = parseTextTemplate(confirm, new Set(names));
  return { confirm: { text: confirm, message } };
}

function normalizeElicitation(key: string, elicitation: ManifestElicitation): ElicitationModel {
  const { message, url, requestedSchema } = elicitation;
  const values = questionValues([message, url ?? ""]);
  const names = new Set(values.map(({ name }) => name));
  const compile = (text: string): TextTemplate => parseTextTemplate(text, names).template;
  const common = { key, text: message, message: compile(message), values };
  return url === undefined
    ? { kind: "form", ...common, schema: requestedSchema as JsonObject }
    : { kind: "url", ...common, url: compile(url) };
}
