import type { JsonObject, JsonValue } from "../../model/json.js";
import { chooseType } from "./choose-type.js";
import { makeNumber } from "./number-values.js";
import { fixedValues, exampleOrDefault } from "./stated-values.js";
import { makeString } from "./string-values.js";
import type { ValueRequest } from "./value-request.js";

/**
 * What a request makes of schemas: a value that does not depend on where it stands, undefined if there is none, or an
 * array or object of further values.
 */
export type Made = { readonly value: JsonValue | undefined } | "array" | "object";

/** Makes values of schemas, as far as they do not depend on where they stand. An instance has many equal ones. */
export class SimpleValues {
  /** Cached, by the list of schemas and the text of the request. */
  readonly #made = new Map<readonly JsonObject[], Map<string, Made>>();

  of(schemas: readonly JsonObject[], request: ValueRequest): Made {
    let ofSchemas = this.#made.get(schemas);
    if (ofSchemas === undefined) this.#made.set(schemas, (ofSchemas = new Map()));
    const key = `${request.bound} ${request.alternative} ${request.seed} ${request.name}`;
    let made = ofSchemas.get(key);
    if (made === undefined) ofSchemas.set(key, (made = makeSimple(schemas, request)));
    return made;
  }
}

function makeSimple(schemas: readonly JsonObject[], request: ValueRequest): Made {
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
      return { value: makeString(schemas, request) };
    case "array":
    case "object":
      return type;
  }
}
