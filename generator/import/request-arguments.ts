import type { JsonObject, JsonSchema } from "../model/json.js";
import type { ApiDocument, DocumentPath } from "./api-document.js";
import { ArgumentNames } from "./argument-names.js";
import type { Operation } from "./operations.js";
import type { Parameter } from "./parameters.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";

/** A part of an operation that is not imported, and why. */
export interface OmittedPart {
  readonly reason: string;
  readonly path: DocumentPath;
}

/** What the readers of parameters and bodies share while they read the request of one operation. */
export interface RequestReading {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly shared: SharedSchemas;
  /** Collects the arguments of the tool. */
  readonly args: RequestArguments;
}

const NOT_ASCII = /[^\u0000-\u007f]/;

/** A schema whose description begins with the name that the API has for the value. */
function named(name: string, schema: JsonSchema): JsonSchema {
  const shownName = plainText(name);
  const { description, ...rules } = typeof schema === "boolean" ? {} : schema;
  const text = typeof description === "string" ? `${shownName}: ${description}` : shownName;
  const isClosed = schema === false;
  return { ...rules, ...(isClosed && { not: {} }), description: shortened(text) };
}

/** Collects the arguments of one tool while its request is read. */
export class RequestArguments {
  readonly #shared: SharedSchemas;
  readonly #names = new ArgumentNames();
  readonly #properties = new Map<string, JsonSchema>();
  readonly #required: string[] = [];
  readonly #leftOut: OmittedPart[] = [];

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** The parts of the operation that the request does not have. */
  get leftOut(): readonly OmittedPart[] {
    return this.#leftOut;
  }

  /** The input schema of the tool. @param path the path of the operation, for problems of the whole schema */
  inputSchema(path: DocumentPath): JsonObject {
    const schema: JsonObject = {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: [...this.#required] }),
      additionalProperties: false,
    };
    return this.#shared.bounded(schema, path) as JsonObject;
  }

  /** True if there is already an argument of this name. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Adds an argument for a parameter. @returns the argument's name */
  addParameter(parameter: Parameter): string {
    const schema = this.withDescription(
      this.#shared.convert(parameter.schema, "request"),
      parameter.description,
    );
    return this.add(parameter.name, schema, parameter.isRequired, parameter.in);
  }

  /** A schema with a description, if there is a text for it. */
  withDescription(schema: JsonSchema, text: string | undefined): JsonSchema {
    const description = text === undefined ? "" : shortened(plainText(text));
    if (description === "") return schema;
    return typeof schema === "boolean" ? { description } : { ...schema, description };
  }

  /**
   * Adds an argument.
   *
   * @param place its place in the request, which becomes part of its name if another argument has the same name
   * @returns the argument's name
   */
  add(name: string, schema: JsonSchema, isRequired: boolean, place: string): string {
    const argument = this.#names.take(name, place);
    this.#properties.set(argument, NOT_ASCII.test(name) ? named(name, schema) : schema);
    if (isRequired) this.#required.push(argument);
    return argument;
  }

  /** Does something that adds arguments. If it throws, the arguments and reports that it has added are removed. */
  attempt<Value>(action: () => Value): Value {
    const [required, leftOut] = [this.#required.length, this.#leftOut.length];
    const before = new Set(this.#properties.keys());
    try {
      return action();
    } catch (error) {
      for (const name of [...this.#properties.keys()].filter((added) => !before.has(added))) {
        this.#properties.delete(name);
        this.#names.release(name);
      }
      this.#required.length = required;
      this.#leftOut.length = leftOut;
      throw error;
    }
  }

  /** Reports a part of the operation that is left out. */
  omit(reason: string, path: DocumentPath): void {
    this.#leftOut.push({ reason, path });
  }
}
