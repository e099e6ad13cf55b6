import type { JsonObject, JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { chooseType } from "./choose-type.js";
import { makeNumber } from "./number-values.js";
import { fixedValues, exampleOrDefault } from "./stated-values.js";
import { makeString } from "./string-values.js";
import type { ValueRequest } from "./value-request.js";

/**
 * What a request makes of schemas: a value that does not depend on where it stands, undefined if there is none, or an
 * array or object of further values.
 */
type Made = { readonly value: JsonValue | undefined } | "array" | "object";

/** Cached, for each list of schemas by the text of the request. Instances have many equal values. */
const madeOf = onceForEach((_schemas: readonly JsonObject[]) => new Map<string, Made | "string">());
const textsOf = onceForEach((_schemas: readonly JsonObject[]) => new Map<string, Made>());

/** The value that a request makes of schemas, as far as it does not depend on where it stands. */
export function simpleValue(schemas: readonly JsonObject[], request: ValueRequest): Made {
  const key = `${request.bound} ${request.alternative} ${request.seed}`;
  const cache = madeOf(schemas);
  const made = cache.get(key) ?? makeSimple(schemas, request);
  cache.set(key, made);
  return made === "string" ? text(schemas, request) : made;
}

/** A text depends on the name of its property, too. */
function text(schemas: readonly JsonObject[], request: ValueRequest): Made {
  const key = `${request.bound} ${request.seed} ${request.name}`;
  const cache = textsOf(schemas);
  const made = cache.get(key) ?? { value: makeString(schemas, request) };
  cache.set(key, made);
  return made;
}

function makeSimple(schemas: readonly JsonObject[], request: ValueRequest): Made | "string" {
  const allowed = fixedValues(schemas);
  if (allowed !== undefined) return { value: allowed[request.seed % allowed.length] };
  const example = request.bound === "typical" ? exampleOrDefault(schemas, request) : undefined;
  if (example !== undefined) return { value: example };
  const type = chooseType(schemas, request);
  switch (type) {
    case undefined:
      return { value: undefined };
    case "null":
      return { value: null };
    case "boolean":
      return { value: request.seed % 2 === 0 };
    case "integer":
    case "number":
      return { value: makeNumber(schemas, type === "integer", request) };
    case "string":
    case "array":
    case "object":
      return type;
  }
}
