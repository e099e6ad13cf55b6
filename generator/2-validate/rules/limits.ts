import { unmetLimit, type LimitName } from "../../../templates/runtime/engine/limits.js";
import { argumentsBeyondLimit, limitVariable } from "../../model/catalogue/limits.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { limitNames } from "../../../templates/runtime/engine/limits.js";
import { variableOfLimit } from "../../model/limits.js";
import { ownValue } from "../../schema/json-schema.js";
import { variableProblems } from "./variables.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { itemsOf, mappingIn, mappingsIn, rootOf, type Mapping } from "../manifest-view.js";

/** The size of a value, in the units of `limits`. */
interface ValueSize {
  /** Levels inside it. */
  readonly depth: number;
  /** Items and members, all levels together. */
  readonly elements: number;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

type SizeName = keyof ValueSize;

/** A limit of the manifest that the arguments of a call exceed. */
interface Excess {
  /** Its key. */
  readonly limit: string;
  readonly most: number;
  readonly size: SizeName;
  readonly found: number;
}

/** The limits of arguments, with the size that each restricts. */
const ARGUMENT_LIMITS: readonly (readonly [limit: string, size: SizeName])[] = [
  ["depth", "depth"],
  ["elements", "elements"],
  ["bodyBytes", "bytes"],
];

/** Reports variables that cannot set a limit, and examples that the manifest's own limits refuse. */
export function checkLimits(manifest: LoadedManifest): Diagnostic[] {
  const limits = mappingIn(rootOf(manifest), "limits");
  if (limits === undefined) return [];
  return [
    ...limitNames.flatMap((name) => checkVariable(manifest, limits, name)),
    ...checkArguments(manifest, limits),
  ];
}

/** Checks that the variable that sets a limit is declared, and that it can be such a limit. */
function checkVariable(manifest: LoadedManifest, limits: Mapping, limit: LimitName): Diagnostic[] {
  const variable = variableOfLimit(ownValue(limits.value, limit));
  if (variable === undefined) return [];
  const path = [...limits.path, limit, "env"];
  const undeclared = variableProblems(manifest, variable, path);
  const variables = mappingIn(rootOf(manifest), "env");
  if (undeclared.length > 0 || variables === undefined) return undeclared;
  const {
    type = "string",
    default: usual,
    enum: values,
  } = mappingIn(variables, variable)?.value ?? {};
  const report = (expected: string, found: string): Diagnostic =>
    limitVariable(manifest.locate(path, "value"), { variable, limit, expected, found });
  if (type !== "number") return [report("a number", `its type is "${String(type)}"`)];
  const unfit = [usual, ...(Array.isArray(values) ? values : [])].find(
    (value) => typeof value === "number" && unmetLimit(limit, value) !== undefined,
  );
  const expected = unmetLimit(limit, unfit);
  if (unfit === undefined || expected === undefined) return [];
  return [report(expected, `it may be ${String(unfit)}`)];
}

function checkArguments(manifest: LoadedManifest, limits: Mapping): Diagnostic[] {
  if (!ARGUMENT_LIMITS.some(([limit]) => typeof limits.value[limit] === "number")) return [];
  return itemsOf(manifest, "tools").flatMap((tool) =>
    mappingsIn(tool, "examples").flatMap(({ path, value }) => {
      const example = ownValue(value, "arguments");
      const excess = isJsonObject(example) ? excessOf(sizeOf(example), limits) : undefined;
      if (excess === undefined) return [];
      const place = manifest.locate([...path, "arguments"], "key");
      const limit = manifest.locate([...limits.path, excess.limit], "value");
      return [argumentsBeyondLimit(place, excess, [{ ...limit, message: "the limit" }])];
    }),
  );
}

function excessOf(found: ValueSize, { value }: Mapping): Excess | undefined {
  for (const [limit, size] of ARGUMENT_LIMITS) {
    const most = ownValue(value, limit);
    if (typeof most === "number" && found[size] > most) {
      return { limit, most, size, found: found[size] };
    }
  }
  return undefined;
}

function sizeOf(value: JsonValue): ValueSize {
  let [depth, elements] = [0, 0];
  let level = [value];
  for (;;) {
    level = level.flatMap((item) => (typeof item === "object" && item ? Object.values(item) : []));
    if (level.length === 0) break;
    depth += 1;
    elements += level.length;
  }
  return { depth, elements, bytes: Buffer.byteLength(JSON.stringify(value)) };
}
