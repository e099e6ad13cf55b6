import type { Severity } from "../diagnostic.js";
import { readExplanations, type Explanation } from "../explanations.js";
import { allEntries } from "./index.js";

/** The explanations of all diagnostics. */
export function explainedDiagnostics(): Explanation<Severity>[] {
  return readExplanations("generator/model/catalogue/", allEntries);
}
