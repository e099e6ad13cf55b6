import type { JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { describeValue, quoted, subjectOf } from "../wording.js";
import type { ValueFinding } from "./schema-validator.js";

/** A finding about a value, in words, and where in the value it is. */
export interface DescribedFinding {
  readonly path: ManifestPath;
  readonly target: "key" | "value";
  readonly problem: string;
}

const CLOSING: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** What is found about a value, in words. */
export function describeFindings(findings: readonly ValueFinding[]): DescribedFinding[] {
  return findings.map((finding) => {
    const { path, keyword, property } = finding;
    if (property !== undefined && CLOSING.has(keyword)) {
      return {
        path: [...path, property],
        target: "key",
        problem: `${quoted(property)} is not a property of the schema`,
      };
    }
    const subject = subjectOf(path, "the value");
    return { path, target: "value", problem: `${subject} ${describe(finding)}` };
  });
}

/** What bounds demand, by keyword; the number follows. */
const BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  minimum: ["must be at least", ""],
  maximum: ["must be at most", ""],
  exclusiveMinimum: ["must be more than", ""],
  exclusiveMaximum: ["must be less than", ""],
  multipleOf: ["must be a multiple of", ""],
  minLength: ["must have at least", " characters"],
  maxLength: ["must have at most", " characters"],
  minItems: ["must have at least", " items"],
  maxItems: ["must have at most", " items"],
  minProperties: ["must have at least", " properties"],
  maxProperties: ["must have at most", " properties"],
};

function describe({ keyword, rule, value, property = "", fitting = 0 }: ValueFinding): string {
  const found = describeValue(value);
  const bound = Object.hasOwn(BOUNDS, keyword) ? BOUNDS[keyword] : undefined;
  if (bound !== undefined) {
    const unit =
      rule === 1 ? bound[1].replace(/ies$|s$/, (end) => (end === "s" ? "" : "y")) : bound[1];
    return `${bound[0]} ${String(rule)}${unit}, not ${found}`;
  }
  switch (keyword) {
    case "required":
      return `needs the property ${quoted(property)}`;
    case "type":
      return `must be of type ${[rule].flat().join(" or ")}, not ${found}`;
    case "enum":
      return `must be one of ${listed(rule as JsonValue[])}, not ${found}`;
    case "const":
      return `must be ${describeValue(rule)}, not ${found}`;
    case "pattern":
      return `must match ${quoted(String(rule))}, not ${found}`;
    case "format":
      return `must have the format ${quoted(String(rule))}, not ${found}`;
    case "uniqueItems":
      return "must not hold the same item twice";
    case "contains":
      return "must hold more items that fit contains";
    case "maxContains":
      return `must not hold more than ${String(rule)} items that fit contains`;
    case "anyOf":
      return "fits none of the alternatives of anyOf";
    case "oneOf":
      return `fits ${fitting > 1 ? "more than one" : "none"} of the alternatives of oneOf`;
    case "depth":
      return `cannot be checked: its schemas and their references are nested more than ${String(rule)} levels deep`;
    case "cost":
      return `cannot be checked: the values of the manifest and their schemas branch into more than ${String(rule)} comparisons`;
    case "not":
      return "fits what the schema excludes";
    default:
      return "is not allowed";
  }
}

const SHOWN_VALUES = 6;

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => describeValue(value));
  return values.length > SHOWN_VALUES ? `${shown.join(", ")}, …` : shown.join(", ");
}
