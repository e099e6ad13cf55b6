import {
  argumentsBeyondLimit,
  toolBeyondLimit,
  uriBeyondLimit,
} from "../../model/catalogue/limits.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { itemsOf, mappingIn, mappingsIn, rootOf, textIn, type Mapping } from "../manifest-view.js";
import { leastSize, sizeOf, type SizeName, type ValueSize } from "../schema-rules/least-size.js";

/** A limit of the manifest that a call's arguments are beyond. */
interface Excess {
  readonly limit: string;
  readonly most: number;
  readonly size: SizeName;
  readonly found: number;
}

/** What each limit bounds of a call's arguments. */
const BOUNDED: readonly (readonly [limit: string, size: SizeName])[] = [
  ["depth", "depth"],
  ["elements", "elements"],
  ["bodyBytes", "bytes"],
];

/** Tools, examples and resources of which the manifest's own limits refuse every request. */
export function checkLimits(manifest: LoadedManifest): Diagnostic[] {
  const limits = mappingIn(rootOf(manifest), "limits");
  return limits === undefined
    ? []
    : [...checkArguments(manifest, limits), ...checkUriLengths(manifest, limits)];
}

function checkArguments(manifest: LoadedManifest, limits: Mapping): Diagnostic[] {
  if (!BOUNDED.some(([limit]) => typeof limits.value[limit] === "number")) return [];
  const shared = sharedIn(manifest);
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
      const given = ownValue(value, "arguments");
      const excess = isJsonObject(given) ? excessOf(sizeOf(given), limits) : undefined;
      if (excess === undefined) return [];
      const place = manifest.locate([...path, "arguments"], "key");
      return [argumentsBeyondLimit(place, excess, relatedTo(excess))];
    });
  });
}

function excessOf(found: ValueSize, { value }: Mapping): Excess | undefined {
  for (const [limit, size] of BOUNDED) {
    const most = ownValue(value, limit);
    if (typeof most === "number" && found[size] > most) {
      return { limit, most, size, found: found[size] };
    }
  }
  return undefined;
}

function sharedIn({ value }: LoadedManifest): SharedSchemas {
  const schemas: JsonObject | undefined = isJsonObject(value["schemas"]) ? value["schemas"] : {};
  return (name) => {
    const schema = ownValue(schemas, name);
    return isJsonSchema(schema) ? schema : undefined;
  };
}

/** Resources at a URI that is too long, and templates whose every URI is. */
function checkUriLengths(manifest: LoadedManifest, limits: Mapping): Diagnostic[] {
  const most = ownValue(limits.value, "uriLength");
  if (typeof most !== "number") return [];
  const related = {
    ...manifest.locate([...limits.path, "uriLength"], "value"),
    message: "the limit",
  };
  const of = (list: string, key: string, lengthOf: (uri: string) => number): Diagnostic[] =>
    itemsOf(manifest, list).flatMap(({ path, value }) => {
      const found = lengthOf(textIn(value, key) ?? "");
      if (found <= most) return [];
      return [uriBeyondLimit(manifest.locate([...path, key], "value"), { found, most }, [related])];
    });
  return [
    ...of("resources", "uri", (uri) => uri.length),
    // What stands outside of expressions is in every URI.
    ...of("resourceTemplates", "uriTemplate", (uri) => uri.replace(/\{[^}]*\}/g, "").length),
  ];
}
