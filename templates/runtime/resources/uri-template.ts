import type { UriTemplatePart } from "./definition.js";

/** The decoded values of a template's variables. A variable of the query may be absent. */
export type UriVariables = Readonly<Record<string, string | string[]>>;

/** Reads the variables of a URI. Returns undefined if the URI does not match the template. */
export type UriMatcher = (uri: string) => UriVariables | undefined;

/** The part of a template between two slashes. */
interface Segment {
  before: string;
  variable?: string;
  /** Whether the variable is a `{+x}`, which may have slashes. */
  spans: boolean;
  after: string;
}

interface CompiledTemplate {
  readonly segments: readonly Segment[];
  /** The variable of a trailing `{/x*}`, which has all remaining segments. */
  readonly rest?: string;
  /** The variables of a `{?x,y}`. */
  readonly query?: ReadonlySet<string>;
  readonly raw: boolean;
}

/**
 * Makes the matcher of a template. Its time is linear in the URI's length, since a template has at most one variable
 * between two slashes and one with slashes. Each value is percent-decoded once. A URI does not match if a value of
 * its path could lead to another folder (`..`, an encoded slash, NUL).
 * @param raw Whether values may have what only some file systems resolve to another file.
 */
export function uriMatcher(parts: readonly UriTemplatePart[], raw = false): UriMatcher {
  const template = compile(parts, raw);
  return (uri) => {
    const path = template.query === undefined ? uri : uri.split("?", 1)[0]!;
    const pathValues = matchPath(template, path.split("/"));
    if (pathValues === undefined) return undefined;
    if (template.query === undefined) return Object.fromEntries(pathValues);
    const queryValues = matchQuery(template.query, uri.slice(path.length + 1));
    return queryValues && Object.fromEntries([...pathValues, ...queryValues]);
  };
}

function compile(parts: readonly UriTemplatePart[], raw: boolean): CompiledTemplate {
  const segments: Segment[] = [{ before: "", spans: false, after: "" }];
  let rest: string | undefined;
  let query: Set<string> | undefined;
  for (const part of parts) {
    if (part.kind === "literal") addLiteral(segments, part.text);
    else if (part.operator === "?") query = new Set(part.names);
    else if (part.explode) rest = part.names[0];
    else for (const name of part.names) addVariable(segments, part.operator, name);
  }
  return {
    segments,
    raw,
    ...(rest === undefined ? {} : { rest }),
    ...(query === undefined ? {} : { query }),
  };
}

function addLiteral(segments: Segment[], text: string): void {
  const [first = "", ...others] = text.split("/");
  const last = segments.at(-1)!;
  if (last.variable === undefined) last.before += first;
  else last.after += first;
  for (const before of others) segments.push({ before, spans: false, after: "" });
}

function addVariable(segments: Segment[], operator: "" | "+" | "/" | ".", name: string): void {
  if (operator === "/" || operator === ".") addLiteral(segments, operator);
  const last = segments.at(-1)!;
  if (last.variable !== undefined) {
    throw new Error(`the variables ${last.variable} and ${name} have no slash between them`);
  }
  last.variable = name;
  last.spans = operator === "+";
}

type Values = [name: string, value: string | string[]][];

function matchPath(
  { segments, rest, raw }: CompiledTemplate,
  texts: readonly string[],
): Values | undefined {
  const surplus = texts.length - segments.length;
  const spanning = segments.some((segment) => segment.spans);
  if (surplus < 0 || (surplus > 0 && !spanning && rest === undefined)) return undefined;
  const values: Values = [];
  let next = 0;
  for (const segment of segments) {
    const end = next + 1 + (segment.spans ? surplus : 0);
    const text = texts.slice(next, end).join("/");
    next = end;
    if (!matchSegment(segment, text, raw, values)) return undefined;
  }
  if (rest !== undefined) {
    const list = texts.slice(next).map((text) => decodePathValue(text, false, raw));
    if (!list.every((value) => value !== undefined)) return undefined;
    values.push([rest, list]);
  }
  return values;
}

function matchSegment(segment: Segment, text: string, raw: boolean, values: Values): boolean {
  const { before, variable, spans, after } = segment;
  if (variable === undefined) return text === before;
  if (text.length < before.length + after.length) return false;
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  const encoded = text.slice(before.length, text.length - after.length);
  const value = decodePathValue(encoded, spans, raw);
  if (value === undefined) return false;
  values.push([variable, value]);
  return true;
}

/** Decodes a value of the path. Returns undefined if it is empty or could lead to another folder. */
function decodePathValue(encoded: string, spans: boolean, raw: boolean): string | undefined {
  if (/[?#]/.test(encoded)) return undefined;
  const value = decode(encoded);
  if (value === undefined || (!spans && value.includes("/"))) return undefined;
  // A backslash separates folders on Windows.
  const steps = value.split(/[/\\]/);
  if (leadsElsewhere(steps)) return undefined;
  return raw || !isTakenOtherwise(value, steps) ? value : undefined;
}

function leadsElsewhere(steps: readonly string[]): boolean {
  return steps.some((step) => step === "" || step === "." || step === "..");
}

/** Whether a template without `raw` accepts a path, since it is the same file on all systems. */
export function isPlainPath(path: string): boolean {
  const steps = path.split(/[/\\]/);
  return !path.includes("\0") && !leadsElsewhere(steps) && !isTakenOtherwise(path, steps);
}

/** Matches escapes that would become a dot, a slash, a backslash, a colon or NUL if a handler decoded once more. */
const stillEncoded = /%(?:25)*(?:2e|2f|5c|3a|00)/i;

/** Matches the names of devices in Windows, which exist in every folder and with every extension. */
const deviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

/**
 * Whether some file system, or code that decodes once more, would resolve a value to another file: Windows ignores
 * dots and spaces at the end, and has drives and streams with a colon.
 */
function isTakenOtherwise(value: string, steps: readonly string[]): boolean {
  if (/[:\\]/.test(value) || stillEncoded.test(value)) return true;
  return steps.some((step) => /[. ]$/.test(step) || deviceName.test(step));
}

function matchQuery(names: ReadonlySet<string>, query: string): Values | undefined {
  const values = new Map<string, string>();
  if (query === "") return [];
  for (const pair of query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    const value = decode(rest.join("="));
    if (!names.has(name) || values.has(name) || value === undefined || pair.includes("#")) {
      return undefined;
    }
    values.set(name, value);
  }
  return [...values];
}

function decode(raw: string): string | undefined {
  try {
    const value = decodeURIComponent(raw);
    return value.includes("\0") ? undefined : value;
  } catch {
    return undefined;
  }
}
