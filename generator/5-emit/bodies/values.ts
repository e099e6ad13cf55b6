import type { BodyValue, NamedValues } from "../../model/bodies.js";
import type { TextTemplate } from "../../model/text-template.js";
import { callOf, listOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString, writeTemplateText } from "../../text/literal.js";
import { otherName, type BodyArgument } from "./arguments.js";

/** Writes the values of bodies as code, and collects the functions of the runtime that the code calls. */
export class ValueWriter {
  /** Names that the module has to import. */
  readonly imports = new Set<string>();
  readonly #arguments: ReadonlyMap<string, BodyArgument>;
  readonly #exported: string | undefined;

  /** @param exported what the module exports, where that may be called as a function of the runtime is */
  constructor(bodyArguments: ReadonlyMap<string, BodyArgument>, exported?: string) {
    this.#arguments = bodyArguments;
    this.#exported = exported;
  }

  /** Adds an import of a function of the runtime. @returns its name in the module */
  imported(name: string): string {
    const local = name === this.#exported ? otherName(name) : name;
    this.imports.add(local === name ? name : `${name} as ${local}`);
    return local;
  }

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

  /** An absent argument leaves no hole in a list. */
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

  /** A text with arguments in it. */
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

  /** An argument in a text: an absent one leaves nothing. */
  asText(argument: string): string {
    const identifier = this.identifier(argument);
    if (this.#arguments.get(argument)?.isPlainText === true) return identifier;
    return `${this.imported("textOf")}(${identifier})`;
  }
}
