import type { ArgumentValue, BodyValue, NamedValues } from "../../model/bodies.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { TextTemplate } from "../../model/text-template.js";
import { parseTextTemplate } from "../../text/text-template.js";

/** Values with placeholders, as bodies of every kind have them. */

type Names = ReadonlySet<string>;

/** A text of the manifest: one placeholder is the argument itself. */
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

/** A JSON value whose texts may have placeholders. */
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

/** A list or an object without placeholders is a literal. */
function simplified(
  body: Extract<BodyValue, { kind: "list" | "object" }>,
  value: JsonValue,
): BodyValue {
  const parts = body.kind === "list" ? body.items : body.members.map(([, member]) => member);
  const isPlain = parts.every((part) => part.kind === "literal");
  return isPlain && JSON.stringify(value) === JSON.stringify(valueOf(body))
    ? { kind: "literal", value }
    : body;
}

function valueOf(body: BodyValue): JsonValue {
  if (body.kind === "literal") return body.value;
  if (body.kind === "list") return body.items.map(valueOf);
  if (body.kind !== "object") return null;
  return Object.fromEntries(body.members.map(([name, member]) => [name, valueOf(member)]));
}

/** A value that says how it is written, `{ from: tag, style: pipeDelimited }`, or a text or a constant. */
function styledValue(value: JsonValue, names: Names): BodyValue {
  if (!isJsonObject(value)) return jsonValue(value, names);
  const { from, ...style } = value;
  return argumentValue(String(from), style);
}

export function argumentValue(argument: string, style: ArgumentValue["style"] = {}): ArgumentValue {
  return { kind: "argument", argument, ...(Object.keys(style).length > 0 && { style }) };
}

/** The values of a mapping, in its order. */
export function namedValues(
  mapping: Readonly<Record<string, JsonValue>> | undefined,
  names: Names,
): NamedValues {
  return Object.entries(mapping ?? {}).map(([name, value]) => [name, styledValue(value, names)]);
}

/** The arguments that a template names. */
export function argumentsIn(template: TextTemplate): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    if ("argument" in part) return [part.argument];
    return ["when" in part ? part.when : part.unless, ...argumentsIn(part.then)];
  });
}

/** The arguments that a value is made of. */
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
