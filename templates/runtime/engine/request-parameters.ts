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

/** A parameter that must be text. @throws ProtocolError -32602 */
export function textParameter(parameters: RequestParameters, name: string): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (typeof value !== "string") throw invalidParams(`"${name}" must be a string`);
  return value;
}

/** A parameter that must be an object; empty if it is absent. @throws ProtocolError -32602 */
export function objectParameter(parameters: RequestParameters, name: string): RequestParameters {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined) return {};
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
