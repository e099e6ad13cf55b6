import type { Diagnostic } from "../model/diagnostic.js";
import { wholeFile, type Place } from "../model/place.js";
import type { Plan } from "../model/plan.js";
import { placeOf } from "../text/text-place.js";

/** A plan that also reports a problem of a file, whose text reports show. */
export function withReport(plan: Plan, diagnostic: Diagnostic, text: string): Plan {
  return {
    ...plan,
    diagnostics: [...plan.diagnostics, diagnostic],
    sources: new Map([...(plan.sources ?? []), [diagnostic.file, text]]),
  };
}

/** The place of a key in the text of a JSON file; the whole file if it has no such key. */
export async function placeOfKey(
  file: string,
  text: string,
  path: readonly string[],
): Promise<Place> {
  // Imported here, since few runs need this module.
  const { JsonDocument } = await import("./json-document.js");
  const key = JsonDocument.parse(text)?.keyRange(path);
  return key === undefined ? wholeFile(file) : placeOf(file, text, key);
}
