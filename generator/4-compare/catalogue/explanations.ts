import { readExplanations, type Explanation } from "../../model/explanations.js";
import type { SemanticSeverity } from "../../model/plan.js";
import { allRules } from "./index.js";

/** The explanations of all rules. Their examples are the manifests before and after. */
export function explainedRules(): Explanation<SemanticSeverity>[] {
  const rules = allRules.map(({ id: code, severity }) => ({ code, severity }));
  return readExplanations("generator/4-compare/catalogue/", rules);
}
