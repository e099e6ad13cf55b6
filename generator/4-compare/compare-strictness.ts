import { isDeepStrictEqual } from "node:util";
import { SERVICE_KEYS } from "../bodies/definition.js";
import { BODIES, BODY_KEYS } from "../bodies/index.js";
import type { BodyModel } from "../model/bodies.js";
import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { misfitsHandledOtherwise } from "./catalogue/bodies.js";
import { mappingOf, matchItems, placeIn, textOf, type ItemPair } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

/** What an item's body and the service that it asks say of answers that break the output schema. */
interface Strictness {
  readonly kind: BodyModel["kind"];
  /** The section and the name of the service; undefined for a program. */
  readonly service: readonly [section: string, name: string] | undefined;
  /** True if the body says it, and not the service. */
  readonly isOwn: boolean;
  readonly strict: boolean;
}

/** The changes of what callers get where an answer breaks the output schema. Those of a service are reported once. */
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
  const kind = BODY_KEYS.find((key) => ownValue(tool, key) !== undefined);
  if (kind === undefined || ownValue(tool, "outputSchema") === undefined) return undefined;
  const body = mappingOf(tool, kind);
  const { service: section } = BODIES[kind];
  const name = section && textOf(body, SERVICE_KEYS[section]);
  const service =
    section === undefined || name === undefined ? undefined : ([section, name] as const);
  const own = ownValue(body, "strict");
  const inherited =
    service && ownValue(mappingOf(mappingOf(manifest, service[0]), service[1]), "strict");
  return { kind, service, isOwn: own !== undefined, strict: (own ?? inherited) === true };
}

function placeOf({ after }: ItemPair, was: Strictness, is: Strictness): ChangePlace {
  if (is.isOwn) return placeIn(after, is.kind, "strict");
  const isOfService = !was.isOwn && isDeepStrictEqual(was.service, is.service);
  return isOfService && is.service !== undefined ? placeAt(...is.service) : placeIn(after, is.kind);
}
