import type { RequestId } from "@modelcontextprotocol/server";
import { invalidParams } from "./errors.js";
import { printable } from "./printable.js";

/** The `params` of a request, unchecked. */
export type RequestParameters = Readonly<Record<string, unknown>>;

/** Most characters of a caller's text that an answer or a log entry repeats. */
const maxExcerptLength = 128;

/** Makes a name or URI of a request safe to repeat in an error message. */
export function printableExcerpt(text: string): string {
  return printable(text, maxExcerptLength);
}

/** A member of a message that is text. Undefined if the member is absent or of another type, or `value` is no object. */
export function textMember(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}

/** A member of a message that is the id of a request. Undefined if the member is absent or of another type. */
export function requestIdMember(value: unknown, name: string): RequestId | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" || typeof member === "number" ? member : undefined;
}

/** A member of a message that is a list, without the elements that are no text; empty if it is no list. */
export function textsMember(value: unknown, name: string): readonly string[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member.filter((element) => typeof element === "string") : [];
}

/** A member of a message; undefined if `value` is no object, or has no such member of its own. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A parameter that must be text. @throws ProtocolError -32602 */
export function textParameter(parameters: RequestParameters, name: string): string {
  const text = textMember(parameters, name);
  if (text === undefined) throw invalidParams(`"${name}" must be a string`);
  return text;
}

/** A parameter that must be an object; empty if it is absent. @throws ProtocolError -32602 */
export function objectParameter(parameters: RequestParameters, name: string): RequestParameters {
  const value = memberOf(parameters, name);
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalidParams(`"${name}" must be an object`);
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has no other keys than these. */
export function hasOnly(value: object, allowed: readonly string[]): boolean {
  for (const key in value) if (!isAmong(key, allowed)) return false;
  return true;
}

/** Like `includes`, but faster, since V8 inlines it. It runs for each member of every request. */
function isAmong(key: string, keys: readonly string[]): boolean {
  for (const allowed of keys) if (allowed === key) return true;
  return false;
}
