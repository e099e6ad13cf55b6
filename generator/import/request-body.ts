import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, type ApiDocument, type Located } from "./api-document.js";
import type { Operation } from "./operations.js";
import { plainTypes, type Parameter } from "./parameters.js";
import type { RequestArguments } from "./request-arguments.js";
import { isXmlType, requestContentOf, type RequestContent } from "./request-content.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";
import { xmlOutline } from "./xml-outline.js";

/** Keywords of an object whose properties can be arguments. */
const FLAT_KEYS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
]);

/**
 * What of an operation goes to the body of the request.
 *
 * @throws {NotImportable} where an `http` body cannot say it
 */
export class BodyReading {
  readonly #document: ApiDocument;
  readonly #operation: Operation;
  readonly #shared: SharedSchemas;
  readonly #given: RequestArguments;

  constructor(
    document: ApiDocument,
    operation: Operation,
    shared: SharedSchemas,
    given: RequestArguments,
  ) {
    this.#document = document;
    this.#operation = operation;
    this.#shared = shared;
    this.#given = given;
  }

  /** @param parameters of which OpenAPI 2.0 makes a body */
  read(parameters: readonly Parameter[]): { keys: JsonObject; mediaType?: string } {
    const content = requestContentOf(this.#document, this.#operation, parameters);
    if (content === undefined) return { keys: {} };
    if (content.encoding !== undefined) {
      const reason = `the encoding of ${content.encoding.fields.join(", ")} is left out: fields are sent as usual`;
      this.#given.leave(reason, content.encoding.path);
    }
    if (["GET", "HEAD"].includes(this.#operation.method)) {
      if (content.isRequired)
        throw new NotImportable(`sends a body with ${this.#operation.method}`, content.schema.path);
      this.#given.leave(
        "the optional body is left out, which its method has not",
        content.schema.path,
      );
      return { keys: {} };
    }
    return {
      keys: this.#contentKeys(content),
      ...(content.mediaType !== undefined && { mediaType: content.mediaType }),
    };
  }

  #contentKeys(content: RequestContent): JsonObject {
    if (content.kind === "text") return { text: this.#textArgument(content) };
    const schema = this.#shared.convert(content.schema, "request");
    const members = this.#members(content.schema);
    if (members !== undefined && members.every(([name]) => !this.#given.has(name))) {
      return { [content.kind === "form" ? "form" : "body"]: this.#flat(members, content) };
    }
    if (content.kind === "form") {
      throw new NotImportable(
        "sends a form whose fields are not plainly listed",
        content.schema.path,
      );
    }
    const argument = this.#given.add(
      "body",
      this.#given.described(schema, content.description),
      content.isRequired,
      "request",
    );
    return { body: `{{${argument}}}` };
  }

  /** A body that callers write as one text. */
  #textArgument(content: RequestContent): string {
    const { mediaType, schema: at, description = "", isRequired } = content;
    const isText = plainTypes((schema) => this.#shared.follow(schema), at).join() === "string";
    const schema = isText ? this.#shared.convert(at, "request") : { type: "string" };
    const outline = isXmlType(mediaType)
      ? xmlOutline(at, (schema) => this.#shared.follow(schema))
      : undefined;
    const words = [
      plainText(description).replace(/(?<=[^.!?])$/, "."),
      mediaType === undefined ? "" : `A text of the media type ${mediaType}.`,
    ].filter((text) => text !== "");
    const said = shortened(words.join(" "), outline === undefined ? 0 : outline.length + 15);
    const text = [said, ...(outline === undefined ? [] : [`It looks like ${outline}`])].join(" ");
    const described =
      text === "" || !isJsonObject(schema) ? schema : { ...schema, description: text };
    return `{{${this.#given.add("body", described, isRequired, "request")}}}`;
  }

  /** Properties of an object that lists them all, and whether they are required; undefined for any other schema. */
  #members(at: Located): [string, Located, boolean][] | undefined {
    const { value, path } = this.#shared.follow(at);
    const schema = isJsonObject(value)
      ? this.#shared.convert({ value, path }, "request")
      : undefined;
    if (!isJsonObject(value) || !isJsonObject(schema)) return undefined;
    const properties = ownValue(schema, "properties");
    const isClosed = (ownValue(schema, "additionalProperties") ?? false) === false;
    const isObject = (ownValue(schema, "type") ?? "object") === "object";
    const others = Object.keys(schema).some((key) => !FLAT_KEYS.has(key));
    const sources = ownValue(value, "properties");
    if (!isJsonObject(properties) || !isJsonObject(sources) || !isClosed || !isObject || others)
      return undefined;
    const required = ownValue(schema, "required");
    const names = Array.isArray(required) ? required : [];
    return Object.keys(properties).map((name) => {
      const source = {
        value: ownValue(sources, name) ?? true,
        path: [...path, "properties", name],
      };
      return [name, source, names.includes(name)];
    });
  }

  #flat(
    members: readonly (readonly [string, Located, boolean])[],
    content: RequestContent,
  ): JsonObject {
    const entries = members.map(([name, source, isRequired]): [string, JsonValue] => {
      const schema = this.#shared.convert(source, "request");
      const argument = this.#given.add(
        name,
        schema,
        isRequired && (content.isRequired || content.kind === "json"),
        "body",
      );
      return [name, `{{${argument}}}`];
    });
    return Object.fromEntries(entries);
  }
}
