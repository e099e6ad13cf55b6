import { Console } from "node:console";
import { Writable } from "node:stream";
import { describeError } from "../engine/describe-error.js";
import { printable } from "../engine/printable.js";
import { writeNow, writeSoon } from "./stderr-lines.js";

const logLevels = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Data that is logged with a message. It must be JSON. */
export type LogData = Readonly<Record<string, unknown>>;

/** Writes each entry as one JSON line to stderr. In a handler it also goes to the client, if that wants its level. */
export interface Logger {
  /** Logs what helps to find a mistake. */
  debug(message: string, data?: LogData): void;
  /** Logs what is usual. */
  info(message: string, data?: LogData): void;
  /** Logs what somebody should look at. */
  warning(message: string, data?: LogData): void;
  /** Logs a failure. */
  error(message: string, data?: LogData): void;
}

/** The options of {@link createLog}. */
export interface LogOptions {
  /** The least severe level that is written. By default `info`. */
  readonly level?: LogLevel;
  /**
   * Writes one line, line end included. By default lines go to stderr, since stdout may carry the protocol.
   * Warnings and errors are written at once, other lines together at the end of the event loop's turn.
   */
  readonly write?: (line: string) => void;
}

/** The level that the environment variable `LOG_LEVEL` names, or `info`. */
export function logLevelFrom(environment: Readonly<Record<string, string | undefined>>): LogLevel {
  return logLevels.find((level) => level === environment["LOG_LEVEL"]?.toLowerCase()) ?? "info";
}

/** Whether a log with this threshold writes entries of this level. */
export function isPrinted(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** Makes a log that writes each entry as one line of JSON: `time`, `level`, `message`, then the data. */
export function createLog(options: LogOptions = {}): Logger {
  const threshold = logLevels.indexOf(options.level ?? "info");
  const writerOf = (level: LogLevel) => {
    const write = options.write ?? (isPrinted(level, "warning") ? writeNow : writeSoon);
    return (message: string, data: LogData = {}): void => {
      if (logLevels.indexOf(level) < threshold) return;
      const time = timeText();
      const standardFields = { time, level, message: shorten(message) };
      // `standardFields` comes first to set the order of keys, and again last so that data cannot replace it.
      const fullEntry = (): object => ({
        ...standardFields,
        ...loggableFields(data),
        ...standardFields,
      });
      const json = entryOfScalars(standardFields, data) ?? JSON.stringify(fullEntry());
      // JSON does not escape some characters that break lines, control a terminal or reverse text.
      write(`${printable(json, Infinity)}\n`);
    };
  };
  return loggerOf(writerOf);
}

/** Returns a log that writes to `log` and adds these fields to every entry. */
export function withFields(log: Logger, fields: LogData): Logger {
  return loggerOf((level) => (message, data) => log[level](message, { ...fields, ...data }));
}

/** Makes a log from a function that makes the writer of each level. */
export function loggerOf(writerOf: (level: LogLevel) => Logger[LogLevel]): Logger {
  return {
    debug: writerOf("debug"),
    info: writerOf("info"),
    warning: writerOf("warning"),
    error: writerOf("error"),
  };
}

/** Makes `console.*` write to the log. On stdio, a `console.log` to stdout would break the protocol. */
export function redirectConsole(log: Logger): void {
  const streamTo = (write: (text: string) => void): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        write(text.trimEnd());
        done();
      },
    });
  globalThis.console = new Console({
    stdout: streamTo((text) => log.info(text)),
    stderr: streamTo((text) => log.warning(text)),
  });
}

/** Limits of the data of one entry: characters of a text, values in all, and levels of nesting. */
const maxTextLength = 16_384;
const maxValues = 1_000;
const maxDepth = 8;

/** Copies log data of any kind into JSON data of bounded size. */
export function loggableFields(data: LogData): Record<string, unknown> {
  const copy = loggable(() => data, 0, { left: maxValues });
  return typeof copy === "object" ? { ...copy } : { data: copy };
}

/** A faster way to write an entry whose data is flat. Returns undefined for other data. */
function entryOfScalars(
  standardFields: Readonly<Record<StandardField, string>>,
  data: LogData,
): string | undefined {
  const { time, level, message } = standardFields;
  let json = `{"time":"${time}","level":"${level}","message":${quoted(message)}`;
  try {
    for (const key of Object.keys(data)) {
      const value = data[key];
      if (!isScalar(value)) return undefined;
      const isOmitted = value === undefined || isStandardField(key);
      if (!isOmitted) json += `,${quoted(key)}:${scalarJson(value)}`;
    }
  } catch {
    return undefined;
  }
  return `${json}}`;
}

type StandardField = "time" | "level" | "message";

function isStandardField(key: string): key is StandardField {
  return key === "time" || key === "level" || key === "message";
}

/** The present millisecond and its text. Under load, a millisecond has several entries. */
let latestTime = { at: NaN, text: "" };

function timeText(): string {
  const at = Date.now();
  if (at !== latestTime.at) latestTime = { at, text: new Date(at).toISOString() };
  return latestTime.text;
}

/** A text that JSON writes between quotes as it is, and that {@link printable} does not change. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** The JSON of a text. Most need no search for what must be escaped. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The JSON of a value of which {@link isScalar} is true. */
function scalarJson(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  return Number.isFinite(value) ? String(value) : JSON.stringify(value);
}

/** Whether JSON writes the value unchanged, or omits it. */
function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return value.length <= maxTextLength;
    case "number":
    case "boolean":
    case "undefined":
      return true;
    default:
      return value === null;
  }
}

/** Copies the value that `read` returns. `read` may throw, since it may run getters and traps of proxies. */
function loggable(read: () => unknown, depth: number, budget: { left: number }): unknown {
  try {
    return copyValue(read(), depth, budget);
  } catch {
    return "[unreadable]";
  }
}

function copyValue(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value === "string") return shorten(value);
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "function") return "[function]";
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return shorten(describeError(value));
  if (value instanceof Date || value instanceof URL) return String(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= maxDepth) return "[deeper]";
  return copyFields(value, depth, budget);
}

function copyFields(value: object, depth: number, budget: { left: number }): unknown {
  const copies: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (budget.left-- <= 0) break;
    const read = (): unknown => (value as Record<string, unknown>)[key];
    copies.push([key, loggable(read, depth + 1, budget)]);
  }
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies);
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
