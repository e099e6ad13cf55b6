import { formFormat, formKeyword, formRequired, formRoot } from "../../model/catalogue/forms.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue, type SchemaPath } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { describeValue, quoted } from "../../text/value-words.js";
import { choiceProblems } from "./form-choices.js";
import { fieldKindOf, fieldProblem, FIELD_KEYWORDS } from "./form-fields.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { isSureName } from "../../text/nearest-name.js";

/** The result of the check of a form. */
export interface FormReading {
  /** Problems with what the protocol does not allow in forms. */
  readonly problems: readonly Diagnostic[];
  /** The form without what the problems report, for the rules of all JSON Schemas. The paths in it are unchanged. */
  readonly schema: JsonObject;
}

/** Keywords that clients may ignore, as they may ignore `x-` keys. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$comment deprecated description examples readOnly title writeOnly".split(" "),
);

const ROOT_KEYWORDS = ["$schema", "type", "properties", "required"];
const FORMATS = ["email", "uri", "date", "date-time"];

/** Checks the `requestedSchema` of an elicitation against what the protocol allows in forms. */
export function readForm(document: SchemaDocument): FormReading {
  return new FormReader(document).read();
}

class FormReader {
  readonly #document: SchemaDocument;
  readonly #problems: Diagnostic[] = [];

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  read(): FormReading {
    const { root } = this.#document;
    this.#checkRoot(root);
    const allowedPart = this.#withoutForbiddenKeywords(root, [], "a form", ROOT_KEYWORDS);
    const properties = ownValue(allowedPart, "properties");
    if (!isJsonObject(properties)) return { problems: this.#problems, schema: allowedPart };
    this.#checkRequired(allowedPart, Object.keys(properties));
    const fields = Object.entries(properties).flatMap(([name, field]) => {
      const readable = this.#readField(field, ["properties", name]);
      return readable === undefined ? [] : [[name, readable] as const];
    });
    return {
      problems: this.#problems,
      schema: { ...allowedPart, properties: Object.fromEntries(fields) },
    };
  }

  #checkRoot(root: JsonObject): void {
    const type = ownValue(root, "type");
    if (type !== "object") {
      const place =
        type === undefined
          ? placeOf(this.#document, [], "key")
          : placeOf(this.#document, ["type"], "value");
      const found = type === undefined ? "a schema without a type" : `type: ${typeText(type)}`;
      this.#problems.push(formRoot(place, { found }));
    } else if (!Object.hasOwn(root, "properties")) {
      const found = 'a schema without "properties"';
      this.#problems.push(formRoot(placeOf(this.#document, [], "key"), { found }));
    }
  }

  #checkRequired(root: JsonObject, names: readonly string[]): void {
    const required = ownValue(root, "required");
    if (!Array.isArray(required)) return;
    for (const [index, name] of required.entries()) {
      if (typeof name !== "string" || names.includes(name)) continue;
      const nearest = this.#document.run.nearest(name, names);
      const place = placeOf(this.#document, ["required", index], "value");
      this.#problems.push(formRequired(place, { name: quoted(name), ...(nearest && { nearest }) }));
    }
  }

  /** Checks a field. Returns what the rules of all JSON Schemas are to check, or undefined for nothing. */
  #readField(field: JsonValue, path: SchemaPath): JsonValue | undefined {
    const problem = fieldProblem(field, path, this.#document);
    if (problem !== undefined) this.#problems.push(problem);
    if (problem !== undefined || !isJsonObject(field)) return problem ? undefined : field;
    const kind = fieldKindOf(field);
    if (kind === undefined) return field;
    const { what, keywords } = FIELD_KEYWORDS[kind];
    const allowedPart = this.#withoutForbiddenKeywords(field, path, what, ["type", ...keywords]);
    const choices = [...choiceProblems(allowedPart, path, this.#document)];
    for (const choice of choices) this.#problems.push(choice);
    if (choices.length > 0) return undefined;
    const { enumNames: _checked, ...others } = this.#withoutOtherFormat(allowedPart, path);
    return others;
  }

  /** Reports and removes keywords that are not allowed here. Other rules check keys that are no keywords. */
  #withoutForbiddenKeywords(
    schema: JsonObject,
    path: SchemaPath,
    what: string,
    allowed: readonly string[],
  ): JsonObject {
    const entries = Object.entries(schema).filter(([name]) => {
      const isKeyword = KEYWORDS.has(name) || name === "enumNames";
      if (!isKeyword || allowed.includes(name) || ANNOTATIONS.has(name)) return true;
      const place = placeOf(this.#document, [...path, name], "key");
      this.#problems.push(formKeyword(place, { keyword: name, what, allowed }));
      return false;
    });
    return Object.fromEntries(entries);
  }

  #withoutOtherFormat(field: JsonObject, path: SchemaPath): JsonObject {
    const { format, ...others } = field;
    if (typeof format !== "string" || FORMATS.includes(format)) return field;
    const nearest = this.#document.run.nearest(format, FORMATS);
    const place = placeOf(this.#document, [...path, "format"], "value");
    const found = describeValue(format);
    const isSure = nearest !== undefined && isSureName(format, nearest, FORMATS);
    const mend = isSure ? ({ edit: "set text", to: nearest } as const) : undefined;
    const parameters = { found, ...(nearest && { nearest }), ...(mend && { mend }) };
    this.#problems.push(formFormat(place, parameters));
    return others;
  }
}

const typeText = (type: JsonValue): string =>
  typeof type === "string" ? type : JSON.stringify(type);
