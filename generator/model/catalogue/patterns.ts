import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about the regular expressions in the JSON Schemas of a manifest. */

export const invalidPattern = defineDiagnostic<{ reason: string; advice?: string }>({
  code: "MW3030",
  message: ({ reason }) => `the pattern is not a valid regular expression: ${reason}`,
  hint: ({ advice }) => advice,
});

export const exponentialPattern = defineDiagnostic({
  code: "MW3031",
  message: () => "the pattern can take exponential time: two ways to match the same text, repeated",
});

export const polynomialPattern = defineDiagnostic<{ longestText: number; advice: string }>({
  code: "MW3032",
  message: ({ longestText }) =>
    longestText === 0
      ? "the pattern can take too long even for a short text"
      : `the pattern can take too long for a text of more than ${longestText} characters`,
  hint: ({ advice }) => advice,
});

export const uncheckedPattern = defineDiagnostic({
  code: "MW3033",
  message: () => "the pattern is too large to be checked for exponential time",
  hint: () => "use enum for a list of values, or several patterns under allOf",
});

export const patternWithSlashes = defineDiagnostic<{ advice: string }>({
  code: "MW3313",
  severity: "warning",
  message: () => "the slashes around this pattern are part of the text that must match",
  hint: ({ advice }) => advice,
});
