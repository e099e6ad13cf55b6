import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { misfitsHandledOtherwise } from "./catalogue/bodies.js";
import { mappingOf, matchItems, placeIn, textOf, type ItemPair } from "./manifest-items.js";
import { placeAt } from "./places.js";
import type { ChangePlace } from "./rule.js";

/** The kinds of bodies that may be strict. */
const KINDS = ["http", "mcp"] as const;

/** What an item's body and its upstream say of answers that break the output schema. */
interface Strictness {
  readonly kind: (typeof KINDS)[number];
  readonly upstream: string;
  /** True if the body says it, and not the upstream. */
  readonly isOwn: boolean;
  readonly strict: boolean;
}

/** The changes of what callers get where an answer breaks the output schema. Those of an upstream are reported once. */
export function compareStrictness(before: JsonObject, after: JsonObject): SemanticChange[] {
  const changes = new Map<string, SemanticChange>();
  for (const pair of matchItems(before, after, "tools").pairs) {
    const was = strictnessOf(before, pair.before.value);
    const is = strictnessOf(after, pair.after.value);
    if (was === undefined || is === undefined || was.strict === is.strict) continue;
    const place = placeOf(pair, was, is);
    const change = misfitsHandledOtherwise(place, { isRefused: is.strict });
    changes.set(JSON.stringify(place.name), change);
  }
  return [...changes.values()];
}

function strictnessOf(manifest: JsonObject, tool: JsonObject): Strictness | undefined {
  const kind = KINDS.find((key) => ownValue(tool, key) !== undefined);
  if (kind === undefined || ownValue(tool, "outputSchema") === undefined) return undefined;
  const body = mappingOf(tool, kind);
  const upstream = textOf(body, "upstream") ?? "";
  const own = ownValue(body, "strict");
  const inherited = ownValue(mappingOf(mappingOf(manifest, "upstreams"), upstream), "strict");
  return { kind, upstream, isOwn: own !== undefined, strict: (own ?? inherited) === true };
}

function placeOf({ after }: ItemPair, was: Strictness, is: Strictness): ChangePlace {
  if (is.isOwn) return placeIn(after, is.kind, "strict");
  const isOfUpstream = !was.isOwn && was.upstream === is.upstream;
  return isOfUpstream ? placeAt("upstreams", is.upstream) : placeIn(after, is.kind);
}
