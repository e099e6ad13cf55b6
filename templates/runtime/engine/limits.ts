import { SettingError } from "./errors.js";

/** Limits of a server. Lengths are in UTF-16 code units, and times in milliseconds. */
export interface Limits extends Record<LimitName, number> {
  /** Longest result as JSON. */
  readonly resultLength: number;
  /** Largest file that a resource may read, in bytes. */
  readonly fileBytes: number;
}

/** The values that a manifest may set a limit to, and its default. */
export interface LimitRule {
  readonly default: number;
  /** The least value. Of a limit that may be a fraction, it is excluded. */
  readonly least: number;
  readonly most?: number;
  readonly mayBeFraction?: boolean;
  /** Whether it holds over the network only. */
  readonly network?: boolean;
}

/** The longest delay of a timer. */
const maxTimerMs = 2_147_483_647;

/**
 * The limits that a manifest may set under `limits`. This is the one table of them: the manifest's schema, which says
 * the same to editors, is compared with it by a test, and everything else reads it.
 */
export const limitRules = {
  /** Longest message from a client, in bytes. */
  bodyBytes: { default: 4_194_304, least: 1, most: 268_435_456 },
  /** Deepest nesting of a tool call's arguments. */
  depth: { default: 64, least: 1, most: 512 },
  /** Most array items and object members in a tool call's arguments, over all levels. */
  elements: { default: 50_000, least: 1 },
  /** Longest URI that can be read. */
  uriLength: { default: 2_048, least: 1 },
  /** Time limit of a handler. */
  timeoutMs: { default: 30_000, least: 1, most: maxTimerMs },
  /** Most handlers that run at the same time. */
  concurrency: { default: 1_000, least: 1 },
  /** Most requests of one client in a second. A burst may have as many requests at once. */
  ratePerSecond: { default: 1_000, least: 0, most: 1_000_000, mayBeFraction: true, network: true },
  /** Most open subscriptions, and most URIs that all older clients together may watch. */
  subscriptions: { default: 1_024, least: 0 },
  /** Most tasks of one caller that are not over. */
  tasks: { default: 100, least: 1 },
  /** Most HTTP sessions at a time. */
  sessions: { default: 1_000, least: 1, network: true },
  /** Time after which a session without requests and open streams ends. */
  sessionIdleMs: { default: 1_800_000, least: 1, most: maxTimerMs, network: true },
  /** Most open connections of a listener. */
  connections: { default: 1_024, least: 1, network: true },
  /** Time limit for sending the headers of a request. */
  headersTimeoutMs: { default: 8_000, least: 1, most: maxTimerMs, network: true },
  /** Time limit for sending the body after the headers. */
  bodyTimeoutMs: { default: 17_000, least: 1, most: maxTimerMs, network: true },
} as const satisfies Readonly<Record<string, LimitRule>>;

export type LimitName = keyof typeof limitRules;

/** The names of all limits that a manifest may set. */
export const limitNames = Object.keys(limitRules) as readonly LimitName[];

/** The limits that hold where a manifest sets none. */
export const defaultLimits: Limits = {
  ...(Object.fromEntries(limitNames.map((name) => [name, limitRules[name].default])) as Record<
    LimitName,
    number
  >),
  resultLength: 32 * 1024 * 1024,
  fileBytes: 16 * 1024 * 1024,
};

/** The most bytes of an answer that is read from elsewhere, if its reader sets no limit. */
export const defaultAnswerBytes = {
  /** Of an upstream, a program or a query of a database. */
  backend: 1_048_576,
  /** Of a file in a directory. */
  file: 16_777_216,
};

/** The variable that sets a limit. */
export interface LimitVariable {
  readonly env: string;
}

/** The limits that a manifest sets, as numbers or by the variables that have them. */
export type SetLimits = Partial<
  Readonly<Record<LimitName, number | LimitVariable>> & Pick<Limits, "resultLength" | "fileBytes">
>;

/** The variable that sets a limit; undefined for a number and for a limit that is not set. */
export function limitVariable(set: number | LimitVariable | undefined): string | undefined {
  return typeof set === "object" ? set.env : undefined;
}

/** The parts of a server's definition that say its limits. */
interface LimitedDefinition {
  readonly limits?: SetLimits | undefined;
  readonly env?: readonly { readonly name: string; readonly default?: unknown }[];
}

/**
 * The limits of a server: those of the manifest, and the defaults for all others. A variable that has neither a value nor
 * a default sets nothing.
 * @param env The values of the manifest's variables.
 * @throws SettingError if the value of a variable is no such limit
 */
export function limitsOf(
  { limits: set = {}, env: variables = [] }: LimitedDefinition,
  env: unknown = {},
): Limits {
  const values = env as Readonly<Record<string, unknown>>;
  const usual = (variable: string): unknown =>
    variables.find(({ name }) => name === variable)?.default;
  const own = Object.entries(set).flatMap(([name, limit]): [string, unknown][] => {
    const variable = limitVariable(limit);
    if (variable === undefined) return [[name, limit]];
    const value = Object.hasOwn(values, variable) ? values[variable] : usual(variable);
    if (value === undefined) return [];
    const expected = unmetLimit(name as LimitName, value);
    if (expected === undefined) return [[name, value]];
    throw new SettingError(
      `${variable} sets limits.${name}, which must be ${expected}, not ${value}`,
    );
  });
  return { ...defaultLimits, ...(Object.fromEntries(own) as Partial<Limits>) };
}

/** What a limit must be, in words ("a whole number from 1 to 512"); undefined if the value is that. */
export function unmetLimit(name: LimitName, value: unknown): string | undefined {
  const {
    least,
    most = Number.MAX_SAFE_INTEGER,
    mayBeFraction = false,
  }: LimitRule = limitRules[name];
  const isWithin =
    typeof value === "number" &&
    value <= most &&
    (mayBeFraction ? value > least : Number.isInteger(value) && value >= least);
  if (isWithin) return undefined;
  const isBounded = limitRules[name as "depth"].most !== undefined;
  if (mayBeFraction) return `a number above ${least}${isBounded ? ` and at most ${most}` : ""}`;
  return isBounded
    ? `a whole number from ${least} to ${most}`
    : `a whole number of at least ${least}`;
}

/**
 * Most bytes of long answers that a process makes or that its clients have not read: of all clients, and of those of one
 * address. No manifest sets it.
 */
export const answerMemoryBytes = { ofAll: 96 * 1024 * 1024, ofAddress: 64 * 1024 * 1024 };

/** {@link answerMemoryBytes} in words. */
export const answerMemoryInWords = "memory for answers: 64 MiB for an address, 96 MiB for all";

/** A limit in the manifest's words, with its value: `limits.ratePerSecond: 1000`. */
export function limitInWords(limits: Limits, name: LimitName | "answerMemory"): string {
  if (name === "answerMemory") return answerMemoryInWords;
  return `limits.${name}: ${limits[name]}`;
}
