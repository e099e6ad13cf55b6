import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { NotImportable, type ApiDocument } from "./api-document.js";
import type { Operation } from "./operations.js";
import { parametersOf, plainTypes, styledPlaceholder, type Parameter } from "./parameters.js";
import type { RequestArguments } from "./request-arguments.js";
import type { SharedSchemas } from "./shared-schemas.js";

/** Headers that the connection or the upstream's settings say. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*)$/i;
/** OpenAPI 3 says elsewhere what these hold, and ignores them here. */
const IGNORED = /^(?:accept|content-type|authorization)$/i;
const PATH_STYLES: ReadonlySet<string> = new Set(["simple", "label", "matrix"]);
const QUERY_STYLES: ReadonlySet<string> = new Set([
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
  "json",
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The parts of a request that are parameters. */
export interface ParameterParts {
  readonly path: JsonValue;
  readonly query: JsonObject;
  readonly headers: JsonObject;
  readonly cookies: JsonObject;
}

/**
 * Where an operation's parameters go in the request.
 *
 * @throws {NotImportable} where one that is required cannot be said
 */
export class ParameterReading {
  readonly #document: ApiDocument;
  readonly #operation: Operation;
  readonly #shared: SharedSchemas;
  readonly #given: RequestArguments;
  readonly parameters: readonly Parameter[];

  /** @param filled parameters that the upstream's credentials fill: `query key` */
  constructor(
    document: ApiDocument,
    operation: Operation,
    shared: SharedSchemas,
    given: RequestArguments,
    filled: ReadonlySet<string>,
  ) {
    this.#document = document;
    this.#operation = operation;
    this.#shared = shared;
    this.#given = given;
    this.parameters = parametersOf(document, operation).filter((parameter) => {
      const { name, at } = parameter;
      const isFilled = filled.has(`${parameter.in} ${name}`.toLowerCase());
      if (isFilled)
        given.leave(
          `the parameter "${name}" is left out: the upstream's credentials say it`,
          at.path,
        );
      return !isFilled;
    });
  }

  read(): ParameterParts {
    const { parameters } = this;
    const path = this.#pathOf(parameters);
    this.#leaveUnplaced(parameters);
    return {
      path,
      query: this.#queryOf(parameters),
      headers: this.#plainValues(parameters, "header"),
      cookies: this.#plainValues(parameters, "cookie"),
    };
  }

  #pathOf(parameters: readonly Parameter[]): JsonValue {
    const values: JsonObject = {};
    const [route = ""] = this.#operation.route.split(/[?#]/);
    const template = route.replace(/\{([^{}]*)\}|\{\{|[\s\\]/g, (text, name?: string) => {
      if (name === undefined) return text === "{{" ? "{{{{" : encodeURIComponent(text);
      const parameter = parameters.find((one) => one.in === "path" && one.name === name);
      const problem = parameter === undefined ? undefined : this.#pathProblem(parameter);
      if (problem !== undefined)
        throw new NotImportable(
          `needs the parameter "${name}", which ${problem}`,
          parameter?.at.path ?? [],
        );
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
        this.#given.leave(
          `the parameter "${name}" is left out: no part of the path has its name`,
          at.path,
        );
      } else if (parameter.in === "formData" && hasBody) {
        this.#given.leave(`the field "${name}" is left out: there is a body beside it`, at.path);
      }
    }
    if (route.includes("#")) {
      this.#given.leave(
        "what stands behind # in the path is left out, which no request can send",
        path,
      );
    }
    if (isJsonObject(ownValue(value, "callbacks"))) {
      const reason = "its callbacks are left out: tools have nothing that an API could call";
      this.#given.leave(reason, [...path, "callbacks"]);
    }
  }

  readonly #pathArguments = new Map<string, string>();

  #pathArgument(name: string, parameter: Parameter | undefined): string {
    const given = this.#pathArguments.get(name);
    if (given !== undefined) return given;
    if (parameter === undefined) {
      this.#given.leave(
        `the document does not describe the part {${name}} of the path, which is taken for a text`,
        this.#operation.path,
      );
    }
    const argument =
      parameter === undefined
        ? this.#given.add(name, { type: "string", minLength: 1 }, true, "path")
        : this.#given.addParameter({ ...parameter, isRequired: true });
    this.#pathArguments.set(name, argument);
    return argument;
  }

  #pathProblem({ unsayable, style }: Parameter): string | undefined {
    const isKnown = PATH_STYLES.has(style);
    return unsayable ?? (isKnown ? undefined : `has the style ${style}, which paths have not`);
  }

  #isPlainInPath(parameter: Parameter): boolean {
    return parameter.style === "simple" && this.#isScalar(parameter);
  }

  #typesOf({ schema }: Parameter): string[] {
    return plainTypes((at) => this.#shared.follow(at), schema);
  }

  #isScalar(parameter: Parameter): boolean {
    const types = this.#typesOf(parameter);
    return !types.includes("array") && !types.includes("object");
  }

  /** Parameters of the query, and what the path itself has behind a question mark. */
  #queryOf(parameters: readonly Parameter[]): JsonObject {
    const [, fixed] = /\?([^#]*)/.exec(this.#operation.route) ?? [];
    const query = new Map<string, JsonValue>(new URLSearchParams(fixed ?? ""));
    for (const parameter of parameters.filter((one) => one.in === "query")) {
      if (query.has(parameter.name) && query.get(parameter.name) !== "") {
        const reason = `the parameter "${parameter.name}" is left out: the path says its value already`;
        this.#given.leave(reason, parameter.at.path);
        continue;
      }
      if (!this.#canSay(parameter)) continue;
      const argument = this.#given.addParameter(parameter);
      const types = this.#typesOf(parameter);
      query.set(parameter.name, styledPlaceholder(argument, types, parameter));
    }
    return Object.fromEntries(query);
  }

  #plainValues(parameters: readonly Parameter[], place: "header" | "cookie"): JsonObject {
    const values = new Map<string, JsonValue>();
    for (const parameter of parameters.filter((one) => one.in === place)) {
      if (place === "header" && this.#document.version !== "2.0" && IGNORED.test(parameter.name)) {
        const reason = `the parameter "${parameter.name}" is left out: OpenAPI says elsewhere what that header holds`;
        this.#given.leave(reason, parameter.at.path);
        continue;
      }
      if (!this.#canSay(parameter, this.#plainProblem(parameter))) continue;
      values.set(parameter.name, `{{${this.#given.addParameter(parameter)}}}`);
    }
    return Object.fromEntries(values);
  }

  #plainProblem(parameter: Parameter): string | undefined {
    if (!HEADER_NAME.test(parameter.name)) return "has a name that no request can have";
    if (parameter.in === "header" && RESERVED.test(parameter.name))
      return "is set by the connection";
    const types = this.#typesOf(parameter);
    const isWhole =
      types.includes("object") || (types.includes("array") && parameter.in === "cookie");
    if (isWhole) return `is a list or an object in a ${parameter.in}`;
    const isOtherwise = types.includes("array") && parameter.style !== "simple";
    return isOtherwise ? `is written in the style ${parameter.style}` : undefined;
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
    this.#given.leave(
      `the optional parameter "${parameter.name}" is left out: it ${reason}`,
      parameter.at.path,
    );
    return false;
  }

  #queryProblem(parameter: Parameter): string | undefined {
    if (parameter.in !== "query" || this.#isScalar(parameter)) return undefined;
    const isKnown = QUERY_STYLES.has(parameter.style);
    return isKnown ? undefined : `has the style ${parameter.style}, which queries have not`;
  }
}
