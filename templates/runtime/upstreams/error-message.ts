import type { Masking } from "../backends/masking.js";
import { valueAt } from "./pointer.js";
import { retryAfterMs } from "./retry.js";

/** The maximum length of an upstream's message in an error, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** The most problems of arguments that a message names. */
const MAX_PROBLEMS = 10;

/** The members of a JSON answer in which upstreams write messages of errors. */
const MESSAGE_FIELDS = ["message", "detail", "title", "error"];

/** The members in which upstreams list what is wrong with arguments, as in RFC 9457 and its examples. */
const PROBLEM_FIELDS = ["errors", "invalid-params", "invalid_params", "violations", "detail"];

/** The members of a problem that name the argument, and those that say what is wrong with it. */
const NAME_FIELDS = ["field", "name", "pointer", "path", "param", "loc"];
const REASON_FIELDS = ["message", "msg", "detail", "reason", "description", "code"];

/**
 * What an upstream says of an error in its JSON: its message, and what is wrong with which argument. Without secrets, and
 * not longer than 500 characters; undefined if it says nothing.
 */
export function errorMessage(body: unknown, masking: Masking): string | undefined {
  const message = firstOf(MESSAGE_FIELDS.map((field) => messageIn(valueAt(body, `/${field}`))));
  const problems = firstOf(PROBLEM_FIELDS.map((field) => problemsIn(valueAt(body, `/${field}`))));
  const parts = [message, problems].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const masked = masking.text([...new Set(parts)].join(": "));
  if (masked.length <= MAX_MESSAGE_LENGTH) return masked;
  return `${masked.slice(0, MAX_MESSAGE_LENGTH - 1)}\u2026`;
}

/** The sentence that says when an upstream may be asked again, by its `Retry-After`; empty if it does not say so. */
export function retryHint(retryAfter: string | undefined, now = Date.now()): string {
  const wait = retryAfter === undefined ? undefined : retryAfterMs(retryAfter, now);
  if (wait === undefined || wait > MAX_WAIT_MS) return "";
  const seconds = Math.ceil(wait / 1_000);
  return ` It may be asked again ${seconds === 0 ? "now" : `in ${seconds} ${seconds === 1 ? "second" : "seconds"}`}.`;
}

/** Longer waits than a day, in milliseconds, are no use to a model. */
const MAX_WAIT_MS = 86_400_000;

/** The message in a text, in an object with a message, or in a list of those; undefined if there is none. */
function messageIn(value: unknown): string | undefined {
  const texts = [value].flat().map((item) => {
    if (typeof item === "string") return item;
    // What names an argument is a problem of that.
    if (nameIn(item) !== undefined) return "";
    const message = valueAt(item, "/message") ?? valueAt(item, "/msg");
    return typeof message === "string" ? message : "";
  });
  return texts.filter((text) => text !== "").join("; ") || undefined;
}

/** The problems in a list of objects, or in an object whose members are arguments; undefined if there are none. */
function problemsIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const problems = Array.isArray(value)
    ? value.map(problemIn)
    : Object.entries(value).map(([name, reasons]) => named(name, reasonsIn(reasons)));
  const found = problems.filter((problem) => problem !== undefined);
  const more = found.length > MAX_PROBLEMS ? [`and ${found.length - MAX_PROBLEMS} more`] : [];
  return [...found.slice(0, MAX_PROBLEMS), ...more].join("; ") || undefined;
}

function problemIn(item: unknown): string | undefined {
  return named(
    nameIn(item),
    firstOf(REASON_FIELDS.map((field) => textIn(valueAt(item, `/${field}`)))),
  );
}

function named(name: string | undefined, reason: string | undefined): string | undefined {
  return name === undefined || reason === undefined ? undefined : `${name}: ${reason}`;
}

/** The name of the argument with which a problem is; undefined if it has none. */
function nameIn(item: unknown): string | undefined {
  return firstOf(NAME_FIELDS.map((field) => textIn(valueAt(item, `/${field}`))));
}

/** A text, or the texts and numbers of a path; undefined for other values. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value || undefined;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const isPath = value.every((step) => typeof step === "string" || typeof step === "number");
  return isPath ? value.join("/") : undefined;
}

function reasonsIn(value: unknown): string | undefined {
  const reasons = [value].flat().filter((reason) => typeof reason === "string");
  return reasons.join(", ") || undefined;
}

function firstOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined);
}
