import type { JsonObject, JsonSchema } from "../model/json.js";
import type { DocumentPath } from "./api-document.js";
import { ArgumentNames } from "./argument-names.js";
import type { Parameter } from "./parameters.js";
import type { SharedSchemas } from "./shared-schemas.js";
import { plainText, shortened } from "./texts.js";

/** A part of an operation that is not in the manifest. */
export interface LeftOut {
  readonly reason: string;
  readonly path: DocumentPath;
}

/** What callers of one operation give, collected while its request is read. */
export class RequestArguments {
  readonly #shared: SharedSchemas;
  readonly #names = new ArgumentNames();
  readonly #properties = new Map<string, JsonSchema>();
  readonly #required: string[] = [];
  readonly #leftOut: LeftOut[] = [];

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** What of the operation has no place in the request. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** @param path of the operation, for problems of the whole schema */
  inputSchema(path: DocumentPath): JsonObject {
    const schema: JsonObject = {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: [...this.#required] }),
      additionalProperties: false,
    };
    return this.#shared.bounded(schema, path) as JsonObject;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** @returns the argument's name */
  addParameter(parameter: Parameter): string {
    const schema = this.described(
      this.#shared.convert(parameter.schema, "request"),
      parameter.description,
    );
    return this.add(parameter.name, schema, parameter.isRequired, parameter.in);
  }

  /** A schema that says what its values are. */
  described(schema: JsonSchema, text: string | undefined): JsonSchema {
    const description = text === undefined ? "" : shortened(plainText(text));
    if (description === "") return schema;
    return typeof schema === "boolean" ? { description } : { ...schema, description };
  }

  /**
   * @param place where the document has it, which tells arguments of one name apart
   * @returns the argument's name
   */
  add(name: string, schema: JsonSchema, isRequired: boolean, place: string): string {
    const argument = this.#names.take(name, place);
    this.#properties.set(argument, schema);
    if (isRequired) this.#required.push(argument);
    return argument;
  }

  leave(reason: string, path: DocumentPath): void {
    this.#leftOut.push({ reason, path });
  }
}
