import { inspect } from "node:util";

/** All information about a thrown value, as text. The value may be anything, even one whose members throw. */
export function describeError(error: unknown): string {
  let text: string;
  try {
    text = inspect(error, { depth: 4, maxStringLength: 10_000 });
    // Node.js 26 and newer return a text that begins like this for an error whose members throw.
    if (!text.startsWith("[object ")) return text;
  } catch (problem) {
    text = ["a value that cannot be inspected", ...memberInWords(problem, "message")].join(", ");
  }
  const members = ["name", "message", "code", "stack"].flatMap((key) => memberInWords(error, key));
  return [`${text}, of type ${typeof error}`, ...members].join("; ");
}

/** A member of a value as `name: value`; empty if there is no such member. */
function memberInWords(value: unknown, key: string): string[] {
  try {
    const member: unknown = Reflect.get(Object(value) as object, key);
    return member === undefined ? [] : [`${key}: ${String(member).slice(0, 10_000)}`];
  } catch {
    return [`${key}: unreadable`];
  }
}

/** Returns a value on which `instanceof` does not throw: an error replaces a proxy that throws. */
export function inspectable(error: unknown): unknown {
  try {
    void (error instanceof Error);
    return error;
  } catch {
    return new Error(describeError(error));
  }
}
