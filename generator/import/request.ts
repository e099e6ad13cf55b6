import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  NotImportable,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { ArgumentNames } from "./argument-names.js";
import { nameOfOperation, type Operation } from "./operations.js";
import { parametersOf, plainTypes, type Parameter } from "./parameters.js";
import { isXmlType, requestContentOf, type RequestContent } from "./request-content.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";
import { xmlOutline } from "./xml-outline.js";

/** A part of an operation that is not in the manifest. */
export interface LeftOut {
  readonly reason: string;
  readonly path: DocumentPath;
}

/** What callers give, and the request that is made of it. */
export interface Request {
  readonly inputSchema: JsonObject;
  /** The keys of the `http` body but for the upstream. */
  readonly http: JsonObject;
  readonly leftOut: readonly LeftOut[];
}

/** @throws {NotImportable} where an `http` body cannot say the request */
export function requestOf(
  document: ApiDocument,
  operation: Operation,
  shared: SharedSchemas,
): Request {
  return new RequestReading(document, operation, shared).read();
}

/** Headers that the connection or the upstream's settings say. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*)$/i;
/** OpenAPI 3 says elsewhere what these hold, and ignores them here. */
const IGNORED = /^(?:accept|content-type|authorization)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

class RequestReading {
  readonly #document: ApiDocument;
  readonly #operation: Operation;
  readonly #shared: SharedSchemas;
  readonly #names = new ArgumentNames();
  readonly #properties = new Map<string, JsonSchema>();
  readonly #required: string[] = [];
  readonly #leftOut: LeftOut[] = [];

  constructor(document: ApiDocument, operation: Operation, shared: SharedSchemas) {
    this.#document = document;
    this.#operation = operation;
    this.#shared = shared;
  }

  read(): Request {
    const { method, route } = this.#operation;
    if (!route.startsWith("/"))
      throw new NotImportable("has a path that begins with no slash", this.#operation.path);
    if (method === "TRACE") throw new NotImportable("has the method TRACE", this.#operation.path);
    const parameters = parametersOf(this.#document, this.#operation);
    const path = this.#pathOf(parameters);
    this.#leaveUnplaced(parameters);
    const query = this.#queryOf(parameters);
    const headers = this.#plainValues(parameters, "header");
    const cookies = this.#plainValues(parameters, "cookie");
    const content = this.#contentOf(parameters);
    const contentType =
      content.mediaType === undefined ? {} : { "Content-Type": content.mediaType };
    const http: JsonObject = {
      ...(method !== "GET" && { method }),
      path,
      ...(Object.keys(query).length > 0 && { query }),
      ...withMembers("headers", { ...headers, ...contentType }),
      ...withMembers("cookies", cookies),
      ...content.keys,
    };
    return { inputSchema: this.#inputSchema(), http: inShort(http), leftOut: this.#leftOut };
  }

  #inputSchema(): JsonObject {
    const schema: JsonObject = {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: [...this.#required] }),
      additionalProperties: false,
    };
    return this.#shared.bounded(schema, this.#operation.path) as JsonObject;
  }

  #pathOf(parameters: readonly Parameter[]): JsonValue {
    const values: JsonObject = {};
    const [route = ""] = this.#operation.route.split(/[?#]/);
    const template = route.replace(/\{([^{}]*)\}|\{\{/g, (_, name: string | undefined) => {
      if (name === undefined) return "{{{{";
      const parameter = parameters.find((one) => one.in === "path" && one.name === name);
      const argument = this.#pathArgument(name, parameter);
      if (parameter !== undefined && !this.#isPlainInPath(parameter)) {
        const { style, explode } = parameter;
        values[argument] = {
          from: argument,
          ...(style !== "simple" && { style }),
          ...(explode && { explode }),
        };
      }
      return `{{${argument}}}`;
    });
    return Object.keys(values).length === 0 ? template : { template, values };
  }

  /** Says what of the path and of what is sent has no place in the request. */
  #leaveUnplaced(parameters: readonly Parameter[]): void {
    const { route, value, path } = this.#operation;
    const hasBody = parameters.some((parameter) => parameter.in === "body");
    for (const parameter of parameters) {
      const { name, at } = parameter;
      if (parameter.in === "path" && !this.#pathArguments.has(name)) {
        this.#leave(
          `the parameter "${name}" is left out: no part of the path has its name`,
          at.path,
        );
      } else if (parameter.in === "formData" && hasBody) {
        this.#leave(`the field "${name}" is left out: there is a body beside it`, at.path);
      }
    }
    if (route.includes("#")) {
      this.#leave("what stands behind # in the path is left out, which no request can send", path);
    }
    if (isJsonObject(ownValue(value, "callbacks"))) {
      const reason = "its callbacks are left out: tools have nothing that an API could call";
      this.#leave(reason, [...path, "callbacks"]);
    }
  }

  readonly #pathArguments = new Map<string, string>();

  #pathArgument(name: string, parameter: Parameter | undefined): string {
    const known = this.#pathArguments.get(name);
    if (known !== undefined) return known;
    if (parameter === undefined) {
      this.#leave(
        `the document does not describe the part {${name}} of the path, which is taken for a text`,
        this.#operation.path,
      );
    }
    const argument =
      parameter === undefined
        ? this.#add(name, { type: "string", minLength: 1 }, true, "path")
        : this.#addParameter({ ...parameter, isRequired: true });
    this.#pathArguments.set(name, argument);
    return argument;
  }

  #isPlainInPath(parameter: Parameter): boolean {
    return parameter.style === "simple" && this.#isScalar(parameter);
  }

  #isScalar({ schema }: Parameter): boolean {
    const types = plainTypes((at) => this.#shared.follow(at), schema);
    return !types.includes("array") && !types.includes("object");
  }

  /** Parameters of the query, and what the path itself has behind a question mark. */
  #queryOf(parameters: readonly Parameter[]): JsonObject {
    const [, fixed] = /\?([^#]*)/.exec(this.#operation.route) ?? [];
    const query = new Map<string, JsonValue>(new URLSearchParams(fixed ?? ""));
    for (const parameter of parameters.filter((one) => one.in === "query")) {
      if (query.has(parameter.name) && query.get(parameter.name) !== "") {
        const reason = `the parameter "${parameter.name}" is left out: the path says its value already`;
        this.#leave(reason, parameter.at.path);
        continue;
      }
      if (!this.#canSay(parameter)) continue;
      const argument = this.#addParameter(parameter);
      query.set(parameter.name, this.#queryValue(parameter, argument));
    }
    return Object.fromEntries(query);
  }

  #queryValue(parameter: Parameter, argument: string): JsonValue {
    const { style, explode, allowReserved } = parameter;
    const types = plainTypes((at) => this.#shared.follow(at), parameter.schema);
    const isList = types.includes("array");
    const isObject = types.includes("object");
    const isAny = types.length === 0;
    const settings: JsonObject = {};
    if (style !== "form" && (isList || isObject)) settings["style"] = style;
    if (isObject && style === "form") settings["style"] = style;
    if (style === "form" && !explode && (isList || isObject || isAny)) settings["explode"] = false;
    if (style !== "form" && style !== "deepObject" && explode && (isList || isObject))
      settings["explode"] = true;
    if (allowReserved) settings["allowReserved"] = true;
    return Object.keys(settings).length === 0 ? `{{${argument}}}` : { from: argument, ...settings };
  }

  #plainValues(parameters: readonly Parameter[], place: "header" | "cookie"): JsonObject {
    const values = new Map<string, JsonValue>();
    for (const parameter of parameters.filter((one) => one.in === place)) {
      if (place === "header" && this.#document.version !== "2.0" && IGNORED.test(parameter.name)) {
        const reason = `the parameter "${parameter.name}" is left out: OpenAPI says elsewhere what that header holds`;
        this.#leave(reason, parameter.at.path);
        continue;
      }
      if (!this.#canSay(parameter, this.#plainProblem(parameter))) continue;
      values.set(parameter.name, `{{${this.#addParameter(parameter)}}}`);
    }
    return Object.fromEntries(values);
  }

  #plainProblem(parameter: Parameter): string | undefined {
    if (!HEADER_NAME.test(parameter.name)) return "has a name that no request can have";
    if (parameter.in === "header" && RESERVED.test(parameter.name))
      return "is set by the connection";
    return this.#isScalar(parameter) ? undefined : `is a list or an object in a ${parameter.in}`;
  }

  /** Without what is optional and cannot be said; with what is required, there is no request. */
  #canSay(parameter: Parameter, problem = this.#queryProblem(parameter)): boolean {
    const isForbidden = parameter.name === "__proto__";
    const reason = isForbidden
      ? "has a name that no manifest may have"
      : (parameter.unsayable ?? problem);
    if (reason === undefined) return true;
    if (parameter.isRequired) {
      throw new NotImportable(
        `needs the parameter "${parameter.name}", which ${reason}`,
        parameter.at.path,
      );
    }
    this.#leave(
      `the optional parameter "${parameter.name}" is left out: it ${reason}`,
      parameter.at.path,
    );
    return false;
  }

  #queryProblem(parameter: Parameter): string | undefined {
    if (parameter.in !== "query" || this.#isScalar(parameter)) return undefined;
    const types = plainTypes((at) => this.#shared.follow(at), parameter.schema);
    if (parameter.style === "deepObject" && types.includes("array"))
      return "is a list written as an object";
    const isDelimited = ["spaceDelimited", "pipeDelimited"].includes(parameter.style);
    const isKnown = isDelimited || ["form", "deepObject"].includes(parameter.style);
    return isKnown ? undefined : `has the style ${parameter.style}, which queries have not`;
  }

  #addParameter(parameter: Parameter): string {
    const schema = this.#described(
      this.#shared.convert(parameter.schema, "request"),
      parameter.description,
    );
    return this.#add(parameter.name, schema, parameter.isRequired, parameter.in);
  }

  #described(schema: JsonSchema, text: string | undefined): JsonSchema {
    const description = text === undefined ? "" : shortened(plainText(text));
    if (description === "") return schema;
    return typeof schema === "boolean" ? { description } : { ...schema, description };
  }

  #add(name: string, schema: JsonSchema, isRequired: boolean, place: string): string {
    const argument = this.#names.take(name, place);
    this.#properties.set(argument, schema);
    if (isRequired) this.#required.push(argument);
    return argument;
  }

  #contentOf(parameters: readonly Parameter[]): { keys: JsonObject; mediaType?: string } {
    const content = requestContentOf(this.#document, this.#operation, parameters);
    if (content === undefined) return { keys: {} };
    if (content.encoding !== undefined) {
      const reason = `the encoding of ${content.encoding.fields.join(", ")} is left out: fields are sent as usual`;
      this.#leave(reason, content.encoding.path);
    }
    if (["GET", "HEAD"].includes(this.#operation.method)) {
      if (content.isRequired)
        throw new NotImportable(`sends a body with ${this.#operation.method}`, content.schema.path);
      this.#leave("the optional body is left out, which its method has not", content.schema.path);
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
    if (members !== undefined && members.every(([name]) => !this.#names.has(name))) {
      return { [content.kind === "form" ? "form" : "body"]: this.#flat(members, content) };
    }
    if (content.kind === "form") {
      throw new NotImportable(
        "sends a form whose fields are not plainly listed",
        content.schema.path,
      );
    }
    const argument = this.#add(
      "body",
      this.#described(schema, content.description),
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
    return `{{${this.#add("body", described, isRequired, "request")}}}`;
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
      const argument = this.#add(
        name,
        schema,
        isRequired && (content.isRequired || content.kind === "json"),
        "body",
      );
      return [name, `{{${argument}}}`];
    });
    return Object.fromEntries(entries);
  }

  #leave(reason: string, path: DocumentPath): void {
    this.#leftOut.push({ reason, path });
  }
}

/** Keywords of an object whose properties can be arguments. */
const FLAT_KEYS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
]);

function withMembers(key: string, values: JsonObject): JsonObject {
  return Object.keys(values).length === 0 ? {} : { [key]: values };
}

/** Arguments that go where they would go anyway need not be named. */
function inShort(http: JsonObject): JsonObject {
  const { query, body, form, text, method = "GET", ...rest } = http;
  const isBodiless = ["GET", "HEAD", "DELETE"].includes(String(method));
  const isUsual = (values: JsonValue | undefined) =>
    entriesAreNamesakes(values) &&
    [query, body].filter((value) => value !== undefined).length === 1;
  const mayGo = form === undefined && text === undefined;
  const withoutQuery = mayGo && isBodiless && isUsual(query);
  const withoutBody = mayGo && !isBodiless && isUsual(body);
  return {
    ...("method" in http && { method }),
    ...rest,
    ...(query !== undefined && !withoutQuery && { query }),
    ...(body !== undefined && !withoutBody && { body }),
    ...(form !== undefined && { form }),
    ...(text !== undefined && { text }),
  };
}

function entriesAreNamesakes(values: JsonValue | undefined): boolean {
  if (!isJsonObject(values)) return false;
  const entries = Object.entries(values);
  return entries.length > 0 && entries.every(([name, value]) => value === `{{${name}}}`);
}

/** An operation in words, for descriptions of tools that the document does not describe. */
export function fallbackDescription(operation: Operation): string {
  return `Calls ${nameOfOperation(operation)}.`;
}
