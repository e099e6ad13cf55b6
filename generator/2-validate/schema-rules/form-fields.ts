import { formField } from "../../model/catalogue/forms.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { isJsonSchema, ownValue, TYPE_NAMES, type SchemaPath } from "../../schema/json-schema.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/** The kind of answer that a field of a form asks for. */
export type FieldKind = "text" | "number" | "boolean" | "choice" | "titled choice" | "choices";

/** The words for each kind in messages, and the keywords that it can have beside `type`. */
export const FIELD_KEYWORDS: Readonly<
  Record<FieldKind, { readonly what: string; readonly keywords: readonly string[] }>
> = {
  text: {
    what: "a text of a form",
    keywords: ["title", "description", "minLength", "maxLength", "format", "default"],
  },
  number: {
    what: "a number of a form",
    keywords: ["title", "description", "minimum", "maximum", "default"],
  },
  boolean: { what: "a boolean of a form", keywords: ["title", "description", "default"] },
  choice: {
    what: "a choice of a form",
    keywords: ["title", "description", "enum", "enumNames", "default"],
  },
  "titled choice": {
    what: "a choice of a form",
    keywords: ["title", "description", "oneOf", "default"],
  },
  choices: {
    what: "a list of choices of a form",
    keywords: ["title", "description", "items", "minItems", "maxItems", "default"],
  },
};

/** The kind of a field. Undefined if a form cannot have the field's type. */
export function fieldKindOf(field: JsonObject): FieldKind | undefined {
  switch (ownValue(field, "type")) {
    case "string":
      if (Object.hasOwn(field, "enum")) return "choice";
      return Object.hasOwn(field, "oneOf") ? "titled choice" : "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return "choices";
    default:
      return undefined;
  }
}

/** Reports a field whose type a form cannot have. Other rules report values that are no schema, and misspelt types. */
export function fieldProblem(
  field: JsonValue,
  path: SchemaPath,
  document: SchemaDocument,
): Diagnostic | undefined {
  if (!isJsonSchema(field)) return undefined;
  if (!isJsonObject(field)) {
    return formField(placeOf(document, path, "value"), { found: String(field) });
  }
  const type = ownValue(field, "type");
  if (type === undefined) {
    return formField(placeOf(document, path, "key"), { found: "a schema without a type" });
  }
  if (fieldKindOf(field) === "choices") return listProblem(field, path, document);
  const isKnown = typeof type !== "string" || (TYPE_NAMES as readonly string[]).includes(type);
  if (fieldKindOf(field) !== undefined || !isKnown) return undefined;
  const found = `type: ${typeof type === "string" ? type : JSON.stringify(type)}`;
  return formField(placeOf(document, [...path, "type"], "value"), { found });
}

const LIST_ADVICE =
  "write the choices: items: {type: string, enum: [a, b]}, or items: {anyOf: [{const: a, title: A}]}";

/** Reports a list without choices. */
function listProblem(
  field: JsonObject,
  path: SchemaPath,
  document: SchemaDocument,
): Diagnostic | undefined {
  const items = ownValue(field, "items");
  if (isJsonObject(items) && (Object.hasOwn(items, "enum") || Object.hasOwn(items, "anyOf"))) {
    return undefined;
  }
  const at = items === undefined ? [...path, "type"] : [...path, "items"];
  const found = "a list without choices";
  return formField(placeOf(document, at, "value"), { found, advice: LIST_ADVICE });
}
