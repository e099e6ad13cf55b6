import { RESERVED_HEADERS } from "../../templates/runtime/upstreams/reserved-headers.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, NotSendable } from "./api-document.js";
import type { Operation } from "./operations.js";
import {
  declaredTypes,
  JSON_TEXT,
  parametersOf,
  styledPlaceholder,
  type Parameter,
} from "./parameters.js";
import type { RequestArguments, RequestReading } from "./request-arguments.js";

/** Headers that OpenAPI 3 describes elsewhere. It ignores parameters of these names. */
const IGNORED_HEADERS = /^(?:accept|content-type|authorization)$/i;
const PATH_STYLES: ReadonlySet<string> = new Set(["simple", "label", "matrix"]);
const QUERY_STYLES: ReadonlySet<string> = new Set([
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
  "json",
]);
/** The places of parameters outside of the body. */
const OUTSIDE_OF_BODY: ReadonlySet<string> = new Set(["path", "query", "header", "cookie"]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The keys of the `http` body that parameters become. */
export interface ParameterParts {
  readonly path: JsonValue;
  readonly query: JsonObject;
  readonly headers: JsonObject;
  readonly cookies: JsonObject;
}

/** Reads the parameters of an operation. */
export class ParameterReader {
  readonly #reading: RequestReading;
  readonly parameters: readonly Parameter[];

  /** @param filledNames parameters that the upstream's credentials fill: `query key` */
  constructor(reading: RequestReading, filledNames: ReadonlySet<string>) {
    const { document, operation, args } = reading;
    this.#reading = reading;
    const omit = args.omit.bind(args);
    const parameters = parametersOf(document, operation, omit).filter((parameter) => {
      const { name, at } = parameter;
      const isSetByCredentials = filledNames.has(`${parameter.in} ${name}`.toLowerCase());
      if (isSetByCredentials)
        args.omit(
          `the parameter "${name}" is left out: the upstream's credentials say it`,
          at.path,
        );
      return !isSetByCredentials;
    });
    this.parameters = parameters.map((parameter) => this.#described(parameter));
  }

  /** The parameter itself, or one of a text if its schema cannot be described, since requests send texts. */
  #described(parameter: Parameter): Parameter {
    const { name, schema, unsupported } = parameter;
    if (unsupported !== undefined || !OUTSIDE_OF_BODY.has(parameter.in)) return parameter;
    try {
      this.#reading.shared.convert(schema, "request");
      return parameter;
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      // What cannot be sent is reported where it would be sent.
      if (error instanceof NotSendable) return parameter;
      const isJson = parameter.style === JSON_TEXT.style;
      const remedy = isJson ? "takes any value" : "is taken for a text";
      this.#args.omit(`the parameter "${name}" ${remedy}: it ${error.message}`, error.path);
      const text = { type: "string", ...(parameter.in === "path" && { minLength: 1 }) };
      return { ...parameter, schema: { value: isJson ? {} : text, path: schema.path } };
    }
  }

  get #operation(): Operation {
    return this.#reading.operation;
  }

  get #args(): RequestArguments {
    return this.#reading.args;
  }

  /**
   * Adds an argument for each parameter, and returns the parts of the request that send them.
   *
   * @throws {NotImportable} if the request cannot send a required parameter
   */
  read(): ParameterParts {
    const { parameters } = this;
    const path = this.#pathOf(parameters);
    this.#reportUnplaced(parameters);
    return {
      path,
      query: this.#queryOf(parameters),
      headers: this.#valuesIn(parameters, "header"),
      cookies: this.#valuesIn(parameters, "cookie"),
    };
  }

  #pathOf(parameters: readonly Parameter[]): JsonValue {
    const values: JsonObject = {};
    const [route = ""] = this.#operation.route.split(/[?#]/);
    const template = route.replace(/\{([^{}]*)\}|\{\{|[\s\\]/g, (text, name?: string) => {
      if (name === undefined) return text === "{{" ? "{{{{" : encodeURIComponent(text);
      const parameter = parameters.find(
        (candidate) => candidate.in === "path" && candidate.name === name,
      );
      const problem = parameter === undefined ? undefined : this.#pathProblem(parameter);
      if (problem !== undefined)
        throw new NotImportable(
          `needs the parameter "${name}", which ${problem}`,
          parameter?.at.path ?? [],
        );
      const argument = this.#pathArgument(name, parameter);
      if (parameter !== undefined && !this.#isSimpleInPath(parameter)) {
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

  /** Reports parameters, a fragment and callbacks that have no place in the request. */
  #reportUnplaced(parameters: readonly Parameter[]): void {
    const { route, value, path } = this.#operation;
    const hasBody = parameters.some((parameter) => parameter.in === "body");
    for (const parameter of parameters) {
      const { name, at } = parameter;
      if (parameter.in === "path" && !this.#pathArguments.has(name)) {
        this.#args.omit(
          `the parameter "${name}" is left out: no part of the path has its name`,
          at.path,
        );
      } else if (parameter.in === "formData" && hasBody) {
        this.#args.omit(`the field "${name}" is left out: there is a body beside it`, at.path);
      }
    }
    if (route.includes("#")) {
      this.#args.omit(
        "what stands behind # in the path is left out, which no request can send",
        path,
      );
    }
    if (isJsonObject(ownValue(value, "callbacks"))) {
      const reason = "its callbacks are left out: tools have nothing that an API could call";
      this.#args.omit(reason, [...path, "callbacks"]);
    }
  }

  readonly #pathArguments = new Map<string, string>();

  /** The argument for a part of the path. A part that occurs twice has one argument. */
  #pathArgument(name: string, parameter: Parameter | undefined): string {
    const existing = this.#pathArguments.get(name);
    if (existing !== undefined) return existing;
    if (parameter === undefined) {
      this.#args.omit(
        `the document does not describe the part {${name}} of the path, which is taken for a text`,
        this.#operation.path,
      );
    }
    const argument =
      parameter === undefined
        ? this.#args.add(name, { type: "string", minLength: 1 }, true, "path")
        : this.#args.addParameter({ ...parameter, isRequired: true });
    this.#pathArguments.set(name, argument);
    return argument;
  }

  #pathProblem({ unsupported, style }: Parameter): string | undefined {
    const isValid = PATH_STYLES.has(style);
    return unsupported ?? (isValid ? undefined : `has the style ${style}, which paths have not`);
  }

  #isSimpleInPath(parameter: Parameter): boolean {
    return parameter.style === "simple" && this.#isScalar(parameter);
  }

  #typesOf({ schema }: Parameter): string[] {
    return declaredTypes((at) => this.#reading.shared.follow(at), schema);
  }

  #isScalar(parameter: Parameter): boolean {
    const types = this.#typesOf(parameter);
    return !types.includes("array") && !types.includes("object");
  }

  /** The query: its parameters, and the text after a question mark in the path itself. */
  #queryOf(parameters: readonly Parameter[]): JsonObject {
    const [, fixedQuery] = /\?([^#]*)/.exec(this.#operation.route) ?? [];
    const query = new Map<string, JsonValue>(new URLSearchParams(fixedQuery ?? ""));
    for (const parameter of parameters.filter((candidate) => candidate.in === "query")) {
      if (query.has(parameter.name) && query.get(parameter.name) !== "") {
        const reason = `the parameter "${parameter.name}" is left out: the path says its value already`;
        this.#args.omit(reason, parameter.at.path);
        continue;
      }
      if (!this.#isSupported(parameter)) continue;
      const argument = this.#argumentFor(parameter);
      if (argument === undefined) continue;
      const types = this.#typesOf(parameter);
      query.set(parameter.name, styledPlaceholder(argument, types, parameter));
    }
    return Object.fromEntries(query);
  }

  /** The headers or the cookies. */
  #valuesIn(parameters: readonly Parameter[], place: "header" | "cookie"): JsonObject {
    const { version } = this.#reading.document;
    const values = new Map<string, JsonValue>();
    for (const parameter of parameters.filter((candidate) => candidate.in === place)) {
      if (place === "header" && version !== "2.0" && IGNORED_HEADERS.test(parameter.name)) {
        const reason = `the parameter "${parameter.name}" is left out: OpenAPI says elsewhere what that header holds`;
        this.#args.omit(reason, parameter.at.path);
        continue;
      }
      if (!this.#isSupported(parameter, this.#valueProblem(parameter))) continue;
      const argument = this.#argumentFor(parameter);
      if (argument !== undefined) values.set(parameter.name, `{{${argument}}}`);
    }
    return Object.fromEntries(values);
  }

  /**
   * The argument that a parameter becomes. Undefined for an optional one that no schema can describe, which is reported.
   *
   * @throws {NotImportable} if the parameter is required
   */
  #argumentFor(parameter: Parameter): string | undefined {
    try {
      return this.#args.addParameter(parameter);
    } catch (error) {
      if (!(error instanceof NotImportable) || parameter.isRequired) throw error;
      const reason = `the optional parameter "${parameter.name}" is left out: it ${error.message}`;
      this.#args.omit(reason, error.path);
      return undefined;
    }
  }

  /** Why a header or a cookie cannot send a parameter. */
  #valueProblem(parameter: Parameter): string | undefined {
    if (!HEADER_NAME.test(parameter.name)) return "has a name that no request can have";
    if (parameter.in === "header" && RESERVED_HEADERS.test(parameter.name))
      return "is set by the connection";
    const types = this.#typesOf(parameter);
    const isCompound =
      types.includes("object") || (types.includes("array") && parameter.in === "cookie");
    if (isCompound) return `is a list or an object in a ${parameter.in}`;
    const isStyledList = types.includes("array") && parameter.style !== "simple";
    return isStyledList ? `is written in the style ${parameter.style}` : undefined;
  }

  /**
   * True if the request can send a parameter. If it cannot, an optional parameter is left out and reported.
   *
   * @throws {NotImportable} if the parameter is required
   */
  #isSupported(parameter: Parameter, problem = this.#queryProblem(parameter)): boolean {
    const isForbidden = parameter.name === "__proto__";
    const reason = isForbidden
      ? "has a name that no manifest may have"
      : (parameter.unsupported ?? problem);
    if (reason === undefined) return true;
    if (parameter.isRequired) {
      throw new NotImportable(
        `needs the parameter "${parameter.name}", which ${reason}`,
        parameter.at.path,
      );
    }
    this.#args.omit(
      `the optional parameter "${parameter.name}" is left out: it ${reason}`,
      parameter.at.path,
    );
    return false;
  }

  #queryProblem(parameter: Parameter): string | undefined {
    if (parameter.in !== "query" || this.#isScalar(parameter)) return undefined;
    const isValid = QUERY_STYLES.has(parameter.style);
    return isValid ? undefined : `has the style ${parameter.style}, which queries have not`;
  }
}
