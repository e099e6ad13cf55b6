import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";

/** Rules about items that will go. */

export const unknownReplacement = defineDiagnostic<{ problem: string; nearest?: string }>({
  code: "MW2240",
  message: ({ problem, nearest }) => `${problem}${didYouMean(nearest)}`,
  mend: mendOfName,
});

export const deprecationOrder = defineDiagnostic<{ since: string; until: string }>({
  code: "MW2241",
  message: ({ since, until }) =>
    `the item is deprecated since ${since}, and would be gone before that, in ${until}`,
});

export const deprecationOver = defineDiagnostic<{ version: string; until: string }>({
  code: "MW2242",
  severity: "warning",
  message: ({ version, until }) =>
    `version ${until} was announced to be without the item, and this is ${version}`,
  hint: () => "remove the item, or announce a later version",
});
