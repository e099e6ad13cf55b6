import type { BodyModel, SourceModel } from "../model/bodies.js";
import { isJsonObject, jsonObjectOf, type JsonObject } from "../model/json.js";
import type { BodyDefinition, BodyOwner } from "./definition.js";
import { directory } from "./directory.js";
import { exec } from "./exec.js";
import { http } from "./http.js";
import { mcp } from "./mcp.js";
import { sql } from "./sql.js";

/** The kinds of bodies, by their keys in items. */
export const BODIES: Readonly<Record<BodyModel["kind"], BodyDefinition>> = {
  http,
  sql,
  exec,
  directory,
  mcp,
};

export const BODY_KEYS = Object.keys(BODIES) as readonly BodyModel["kind"][];

/** The kinds of bodies with which a starter manifest begins. */
export const STARTING_BODIES = BODY_KEYS.filter((kind) => BODIES[kind].starter !== undefined);

/** What the manifest has under the key of a body. */
export interface GivenBody {
  readonly kind: BodyModel["kind"];
  readonly definition: BodyDefinition;
  readonly given: JsonObject;
}

/** All bodies that an item of the manifest has, though only one is allowed. */
export function bodiesIn(item: object): GivenBody[] {
  return BODY_KEYS.flatMap((kind) => {
    const given = jsonObjectOf(item)[kind];
    return isJsonObject(given) ? [{ kind, definition: BODIES[kind], given }] : [];
  });
}

/** The body of an item of the manifest, or of a completion or list; undefined if it has none. */
export function bodyIn(item: object): GivenBody | undefined {
  return bodiesIn(item)[0];
}

/** The model of the body that an item of the manifest has; undefined if it has none. */
export function readBody(item: object, owner: BodyOwner): BodyModel | undefined {
  const body = bodyIn(item);
  return body?.definition.read(body.given, owner);
}

/**
 * The model of the body that finds the values of a completion, or the instances of a template.
 *
 * @throws if 2-validate has not checked it
 */
export function readSource(given: object, owner: BodyOwner): SourceModel {
  const body = readBody(given, owner);
  if (!isSource(body)) throw new Error("unvalidated source");
  return body;
}

const isKind = (kind: string): kind is BodyModel["kind"] => Object.hasOwn(BODIES, kind);

/** True if the behaviour of an item is a body. */
export function isBody(behaviour: { readonly kind: string } | undefined): behaviour is BodyModel {
  return behaviour !== undefined && isKind(behaviour.kind);
}

/** True if a body finds the values, and not a list in the manifest or code of the project. */
export function isSource(
  origin: readonly string[] | "code" | BodyModel | undefined,
): origin is SourceModel {
  return typeof origin === "object" && "kind" in origin && BODIES[origin.kind].isSource;
}

/** The values that the manifest lists for a completion. Undefined if code or a body finds them. */
export function offeredValues(
  completion: readonly string[] | "code" | SourceModel | undefined,
): readonly string[] | undefined {
  return completion === "code" || isSource(completion) ? undefined : completion;
}
