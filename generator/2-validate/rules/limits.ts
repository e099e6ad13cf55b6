import { unmetLimit, type LimitName } from "../../../templates/runtime/engine/limits.js";
import {
  argumentsBeyondLimit,
  limitVariable,
  toolBeyondLimit,
  uriBeyondLimit,
} from "../../model/catalogue/limits.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import { limitNames } from "../../../templates/runtime/engine/limits.js";
import { variableOfLimit } from "../../model/limits.js";
import { ownValue } from "../../schema/json-schema.js";
import { variableProblems } from "./variables.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { sharedSchemasIn } from "../input-properties.js";
import { itemsOf, mappingIn, mappingsIn, rootOf, textIn, type Mapping } from "../manifest-view.js";
import { leastSize, sizeOf, type SizeName, type ValueSize } from "../schema-rules/least-size.js";

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

/** Reports variables that cannot set a limit, and tools, examples and resources whose every request the manifest's own limits refuse. */
export function checkLimits(manifest: LoadedManifest): Diagnostic[] {
  const limits = mappingIn(rootOf(manifest), "limits");
  if (limits === undefined) return [];
  return [
    ...limitNames.flatMap((name) => checkVariable(manifest, limits, name)),
    ...checkArguments(manifest, limits),
    ...checkUriLengths(manifest, limits),
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
  const shared = sharedSchemasIn(mappingIn(rootOf(manifest), "schemas")?.value ?? {});
  const relatedTo = ({ limit }: Excess) => [
    { ...manifest.locate([...limits.path, limit], "value"), message: "the limit" },
  ];
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const schema = ownValue(tool.value, "inputSchema");
    const least = isJsonObject(schema) ? excessOf(leastSize(schema, shared), limits) : undefined;
    if (least !== undefined) {
      const place = manifest.locate([...tool.path, "inputSchema"], "key");
      return [toolBeyondLimit(place, least, relatedTo(least))];
    }
    return mappingsIn(tool, "examples").flatMap(({ path, value }) => {
      const example = ownValue(value, "arguments");
      const excess = isJsonObject(example) ? excessOf(sizeOf(example), limits) : undefined;
      if (excess === undefined) return [];
      const place = manifest.locate([...path, "arguments"], "key");
      return [argumentsBeyondLimit(place, excess, relatedTo(excess))];
    });
  });
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

/** Reports resources whose URI is too long, and templates whose every URI is too long. */
function checkUriLengths(manifest: LoadedManifest, limits: Mapping): Diagnostic[] {
  const most = ownValue(limits.value, "uriLength");
  if (typeof most !== "number") return [];
  const related = {
    ...manifest.locate([...limits.path, "uriLength"], "value"),
    message: "the limit",
  };
  const tooLong = (list: string, key: string, lengthOf: (uri: string) => number): Diagnostic[] =>
    itemsOf(manifest, list).flatMap(({ path, value }) => {
      const found = lengthOf(textIn(value, key) ?? "");
      if (found <= most) return [];
      return [uriBeyondLimit(manifest.locate([...path, key], "value"), { found, most }, [related])];
    });
  return [
    ...tooLong("resources", "uri", (uri) => uri.length),
    // Every URI contains the text outside of expressions.
    ...tooLong("resourceTemplates", "uriTemplate", (uri) => uri.replace(/\{[^}]*\}/g, "").length),
  ];
}
