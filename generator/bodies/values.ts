import type { ArgumentValue, BodyValue, NamedValues } from "../model/bodies.js";
import { isJsonObject, type JsonValue } from "../model/json.js";
import type { TextTemplate } from "../model/text-template.js";
import { argumentsIn } from "../text/template-arguments.js";
import { parseTextTemplate } from "../text/text-template.js";

/** The names of the arguments that placeholders may name. */
type Names = ReadonlySet<string>;

/** The value of a text. A text that is a single placeholder has the argument's value, which may be of any type. */
export function textValue(text: string, names: Names): BodyValue {
  const { template } = parseTextTemplate(text, names);
  const [only] = template;
  if (template.length === 1 && typeof only === "object" && "argument" in only) {
    return { kind: "argument", argument: only.argument };
  }
  return isLiteral(template)
    ? { kind: "literal", value: template.join("") }
    : { kind: "text", text: template };
}

function isLiteral(template: TextTemplate): template is readonly string[] {
  return template.every((part) => typeof part === "string");
}

/** The value of JSON whose texts may have placeholders. */
export function jsonValue(value: JsonValue, names: Names): BodyValue {
  if (typeof value === "string") return textValue(value, names);
  if (Array.isArray(value)) {
    return simplified({ kind: "list", items: value.map((item) => jsonValue(item, names)) }, value);
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => [name, jsonValue(member, names)] as const,
    );
    return simplified({ kind: "object", members }, value);
  }
  return { kind: "literal", value };
}

/** A list or an object becomes a literal if its texts have neither placeholders nor escaped braces. */
function simplified(
  body: Extract<BodyValue, { kind: "list" | "object" }>,
  value: JsonValue,
): BodyValue {
  const values = body.kind === "list" ? body.items : body.members.map(([, member]) => member);
  const isConstant = values.every(({ kind }) => kind === "literal");
  return isConstant && JSON.stringify(value) === JSON.stringify(valueOf(body))
    ? { kind: "literal", value }
    : body;
}

function valueOf(body: BodyValue): JsonValue {
  if (body.kind === "literal") return body.value;
  if (body.kind === "list") return body.items.map(valueOf);
  if (body.kind !== "object") return null;
  return Object.fromEntries(body.members.map(([name, member]) => [name, valueOf(member)]));
}

/** The value of a request's parameter: an argument with a style, as `{ from: tag, style: pipeDelimited }`, or JSON. */
function styledValue(value: JsonValue, names: Names): BodyValue {
  if (!isJsonObject(value)) return jsonValue(value, names);
  const { from, ...style } = value;
  return argumentValue(String(from), style);
}

/** The value of an argument. `style` says how a request writes lists and objects. */
export function argumentValue(argument: string, style: ArgumentValue["style"] = {}): ArgumentValue {
  return { kind: "argument", argument, ...(Object.keys(style).length > 0 && { style }) };
}

/** The values of a mapping, in the order of its keys. */
export function namedValues(
  mapping: Readonly<Record<string, JsonValue>> | undefined,
  names: Names,
): NamedValues {
  return Object.entries(mapping ?? {}).map(([name, value]) => [name, styledValue(value, names)]);
}

/** The arguments that a value uses. */
export function argumentsOf(value: BodyValue): string[] {
  switch (value.kind) {
    case "argument":
      return [value.argument];
    case "text":
      return argumentsIn(value.text);
    case "literal":
      return [];
    case "list":
      return value.items.flatMap(argumentsOf);
    case "object":
      return value.members.flatMap(([, member]) => argumentsOf(member));
  }
}
