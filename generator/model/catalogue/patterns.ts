import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about the regular expressions in the JSON Schemas of a manifest. */

export const invalidPattern = defineDiagnostic<{ reason: string; advice?: string }>({
  code: "MW3030",
  severity: "error",
  title: "invalid regular expression",
  explanation: {
    cause:
      "The pattern is not a regular expression of ECMAScript with the `u` flag, as JSON Schema wants it. That flag refuses needless escapes such as `\\-` outside of brackets.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {type: string, pattern: "("}',
    fix: "Correct the pattern.",
  },
  message: ({ reason }) => `the pattern is not a valid regular expression: ${reason}`,
  hint: ({ advice }) => advice,
});

export const exponentialPattern = defineDiagnostic({
  code: "MW3031",
  severity: "error",
  title: "regular expression of exponential time",
  explanation: {
    cause:
      "One text can match a repetition in many ways, and an engine tries them all before it says no: each further character doubles the time. Thirty characters can stop a server.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        name: {type: string, pattern: "^(a+)+$"}',
    fix: "Leave one way to match: `^a+$`. Alternatives in a repetition must begin differently, and a repetition must not directly hold another.",
  },
  message: () => "the pattern can take exponential time: two ways to match the same text, repeated",
});

export const polynomialPattern = defineDiagnostic<{ longestText: number; advice: string }>({
  code: "MW3032",
  severity: "error",
  title: "regular expression of polynomial time",
  explanation: {
    cause:
      "Repetitions of a pattern can share one text, and an engine tries every way to divide it among them: a text of a megabyte stops the server for minutes. Bounded repetitions multiply too: `^a{0,1000}a{0,1000}a{0,1000}b$` has a billion ways, and 28 times `a?` has 268 million. A pattern that does not begin with `^` is tried from every character.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        mail: {type: string, pattern: "^[^@]+@[^@]+\\\\.[^@]+$"}',
    fix: "Bound the text with `maxLength`, begin the pattern with `^`, or let the repetitions take different characters: `^[^@]+@[^@.]+(\\.[^@.]+)+$`. A pattern of `patternProperties` must be quick for a name of any length. In one value, such patterns match texts of 100,000 characters together, and more where the texts are short; servers refuse a value with more.",
  },
  message: ({ longestText }) =>
    longestText === 0
      ? "the pattern can take too long even for a short text"
      : `the pattern can take too long for a text of more than ${longestText} characters`,
  hint: ({ advice }) => advice,
});

export const uncheckedPattern = defineDiagnostic({
  code: "MW3033",
  severity: "error",
  title: "regular expression too large to check",
  explanation: {
    cause:
      "The pattern is longer, deeper or more tangled than can be checked for exponential time.",
    example: "A pattern of more than 5,000 characters.",
    fix: "Use `enum` for a list of values, or split the pattern with `allOf`.",
  },
  message: () => "the pattern is too large to be checked for exponential time",
  hint: () => "use enum for a list of values, or several patterns under allOf",
});

export const patternWithSlashes = defineDiagnostic<{ advice: string }>({
  code: "MW3313",
  severity: "warning",
  title: "regular expression between slashes",
  explanation: {
    cause:
      "JavaScript and other languages write regular expressions between slashes, with flags after them. JSON Schema has the expression alone: slashes and letters around it are part of the text that must match, and mostly none does.",
    example:
      'tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        code: {type: string, pattern: "/^[a-z]{3}$/"}',
    fix: "Remove the slashes and the flags. Instead of the flag `i` write both cases of a letter: `[aA]`.",
  },
  message: () => "the slashes around this pattern are part of the text that must match",
  hint: ({ advice }) => advice,
});
