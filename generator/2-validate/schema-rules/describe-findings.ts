import type { ErrorObject } from "ajv";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { describeValue, quoted, subjectOf } from "../wording.js";

/** A finding about a value, in words, and where in the value it is. */
export interface DescribedFinding {
  readonly path: ManifestPath;
  readonly target: "key" | "value";
  readonly problem: string;
}

/** Findings of a validator, without those that only follow from others. */
export function describeFindings(
  findings: readonly ErrorObject[],
  value: JsonValue,
): DescribedFinding[] {
  return decisive(findings).map((finding) => {
    const path = pathOf(finding.instancePath, value);
    const extra = unknownProperty(finding);
    if (extra !== undefined) {
      return {
        path: [...path, extra],
        target: "key",
        problem: `${quoted(extra)} is not a property of the schema`,
      };
    }
    const subject = path.length === 0 ? "the value" : subjectOf(path);
    return { path, target: "value", problem: `${subject} ${describe(finding)}` };
  });
}

const ALTERNATIVES: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/** Where no alternative fits, what each of them misses says less than that; `if` says nothing that its branch does not. */
function decisive(findings: readonly ErrorObject[]): ErrorObject[] {
  const choices = findings.filter(({ keyword }) => ALTERNATIVES.has(keyword));
  const isOfChoice = (finding: ErrorObject): boolean =>
    choices.some(
      (choice) =>
        choice !== finding &&
        findings.indexOf(finding) < findings.indexOf(choice) &&
        isWithin(finding.instancePath, choice.instancePath) &&
        (finding.schemaPath.startsWith(`${choice.schemaPath}/`) || isReferred(finding, choice)),
    );
  const kept = findings.filter((finding) => !isOfChoice(finding));
  const withoutIf = kept.filter(({ keyword }) => keyword !== "if");
  return withoutIf.length > 0 ? withoutIf : kept;
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}/`);

/** Findings behind a `$ref` have schema paths of their own. */
const isReferred = (finding: ErrorObject, choice: ErrorObject): boolean =>
  finding.schemaPath.split("#")[0] !== choice.schemaPath.split("#")[0];

function unknownProperty({ keyword, params }: ErrorObject): string | undefined {
  const name: unknown =
    keyword === "additionalProperties"
      ? params["additionalProperty"]
      : keyword === "unevaluatedProperties"
        ? params["unevaluatedProperty"]
        : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The path of a JSON pointer into a value; numbers where it leads into lists. */
function pathOf(pointer: string, value: JsonValue): ManifestPath {
  const path: (string | number)[] = [];
  let current: JsonValue | undefined = value;
  for (const escaped of pointer.split("/").slice(1)) {
    const segment: string = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(current)) {
      path.push(Number(segment));
      current = current[Number(segment)];
    } else {
      path.push(segment);
      current = isJsonObject(current) ? current[segment] : undefined;
    }
  }
  return path;
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

function describe({ keyword, params, data, message, schema }: ErrorObject): string {
  const found = describeValue((data ?? null) as JsonValue);
  const bound = Object.hasOwn(BOUNDS, keyword) ? BOUNDS[keyword] : undefined;
  if (bound !== undefined) return `${bound[0]} ${String(schema)}${bound[1]}, not ${found}`;
  switch (keyword) {
    case "required":
      return `needs the property ${quoted(String(params["missingProperty"]))}`;
    case "type":
      return `must be of type ${[params["type"]].flat().join(" or ")}, not ${found}`;
    case "enum":
      return `must be one of ${listed(schema as JsonValue[])}, not ${found}`;
    case "const":
      return `must be ${describeValue(schema as JsonValue)}, not ${found}`;
    case "pattern":
      return `must match ${quoted(String(schema))}, not ${found}`;
    case "format":
      return `must have the format ${quoted(String(schema))}, not ${found}`;
    case "uniqueItems":
      return "must not hold the same item twice";
    case "anyOf":
      return "fits none of the alternatives of anyOf";
    case "oneOf":
      return `fits ${params["passingSchemas"] ? "more than one" : "none"} of the alternatives of oneOf`;
    case "not":
      return "fits what the schema excludes";
    case "false schema":
      return "is not allowed";
    default:
      return `${message ?? `breaks ${keyword}`}, not ${found}`;
  }
}

const SHOWN_VALUES = 6;

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => describeValue(value));
  return values.length > SHOWN_VALUES ? `${shown.join(", ")}, …` : shown.join(", ");
}
