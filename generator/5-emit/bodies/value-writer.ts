import type { BodyValue, NamedValues } from "../../model/bodies.js";
import type { TextTemplate } from "../../model/text-template.js";
import { callOf, listOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString, writeTemplateText } from "../../text/literal.js";
import { runtimeAlias, type BodyArgument } from "./arguments.js";

/** Writes values of bodies as code, and collects the functions of the runtime that this code calls. */
export class ValueWriter {
  /** Names that the module has to import. */
  readonly imports = new Set<string>();
  readonly #arguments: ReadonlyMap<string, BodyArgument>;
  readonly #exported: string | undefined;

  /** @param exported the name that the module exports, which may clash with a function of the runtime */
  constructor(bodyArguments: ReadonlyMap<string, BodyArgument>, exported?: string) {
    this.#arguments = bodyArguments;
    this.#exported = exported;
  }

  /** Imports a function of the runtime, and returns its name in the module. */
  imported(name: string): string {
    const local = name === this.#exported ? runtimeAlias(name) : name;
    this.imports.add(local === name ? name : `${name} as ${local}`);
    return local;
  }

  /** The variable of an argument. */
  identifier(argument: string): string {
    return this.#arguments.get(argument)?.identifier ?? argument;
  }

  value(value: BodyValue): Code {
    switch (value.kind) {
      case "argument":
        return this.argument(value);
      case "text":
        return this.text(value.text);
      case "literal":
        return literalOf(value.value);
      case "list":
        return listOf(value.items.map((item) => this.#item(item)));
      case "object":
        return this.object(value.members);
    }
  }

  argument({ argument, style }: Extract<BodyValue, { kind: "argument" }>): Code {
    const identifier = this.identifier(argument);
    if (style === undefined) return identifier;
    return callOf(this.imported("styled"), [identifier, literalOf(style)]);
  }

  object(members: NamedValues): Code {
    return objectOf(members.map(([name, value]) => [name, this.value(value)]));
  }

  /** An element of a list. An absent argument adds no element. */
  #item(value: BodyValue): Code {
    const code = this.value(value);
    if (value.kind !== "argument" || this.#arguments.get(value.argument)?.isRequired === true) {
      return code;
    }
    return sequenceOf([
      `...(${this.identifier(value.argument)} === undefined ? [] : [`,
      code,
      "])",
    ]);
  }

  /** A string or template literal for a text with arguments. */
  text(template: TextTemplate): string {
    return template.every((part) => typeof part === "string")
      ? writeString(template.join(""))
      : `\`${template.map((part) => this.#part(part)).join("")}\``;
  }

  #part(part: TextTemplate[number]): string {
    if (typeof part === "string") return writeTemplateText(part);
    if ("argument" in part) return `\${${this.asText(part.argument)}}`;
    const isShown = "when" in part;
    const identifier = this.identifier(isShown ? part.when : part.unless);
    return `\${${identifier} ${isShown ? "!==" : "==="} undefined ? ${this.text(part.then)} : ""}`;
  }

  /** An argument as text. An absent argument becomes an empty text. */
  asText(argument: string): string {
    const identifier = this.identifier(argument);
    if (this.#arguments.get(argument)?.isPlainText === true) return identifier;
    return `${this.imported("textOf")}(${identifier})`;
  }
}
