/** A part of a line. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** What is before the value of a line: its indentation, dashes and a key. */
const BEFORE_VALUE = /^ *(?:- +)*(?:[\w$.-]+: +)?/;

/** A key inside braces, with what separates it from the one before it. */
const KEY_IN_BRACES = /[{,] *(?:[\w$.-]+|"[^"]*"): +/g;

/**
 * The text without quotes that is around a place of a line, inside brackets that the line opens: in
 * `{ path: /a/{{b}}, n: 1 }`, it is `/a/{{b}}`. Braces and brackets of the text itself belong to it.
 *
 * @returns `"none"` if no brackets are around the place, and undefined if the ends of the text are not certain
 */
export function textInBrackets(line: string, at: number): Part | "none" | undefined {
  const [before = ""] = BEFORE_VALUE.exec(line) ?? [];
  const outer = bracketAround(line, before.length, at);
  if (outer === undefined) return "none";
  const start =
    outer.sign === "{"
      ? startAfterKey(line, outer.offset, at)
      : startOfItem(line, outer.offset, at);
  if (start === undefined || /[,"']/.test(line.slice(start, at))) return undefined;
  // Words behind the list or the mapping of a key do not make it a text.
  if (outer.sign === "{" && /^[[{]/.test(line.slice(start, at))) return undefined;
  const end = endOfText(line, at, outer.sign);
  if (end === undefined) return undefined;
  const text = line.slice(start, end).trimEnd();
  return text === "" || /\s#|^["'#]/.test(text) ? undefined : { start, end: start + text.length };
}

interface Bracket {
  readonly sign: string;
  readonly offset: number;
}

/** The innermost bracket that is open at a place. */
function bracketAround(line: string, from: number, at: number): Bracket | undefined {
  const open: Bracket[] = [];
  const tokens = line.slice(from, at).matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[[{\]}]/g);
  for (const { 0: token, index } of tokens) {
    if (token === "[" || token === "{") open.push({ sign: token, offset: from + index });
    else if (token === "]" || token === "}") open.pop();
  }
  return open.at(-1);
}

/** Where the value of the last key begins that these braces have before a place. */
function startAfterKey(line: string, brace: number, at: number): number | undefined {
  const last = [...withoutClosed(line.slice(brace, at)).matchAll(KEY_IN_BRACES)].at(-1);
  return last === undefined ? undefined : brace + last.index + last[0].length;
}

/** Signs that no key has in place of what stands in brackets that are closed again. */
function withoutClosed(text: string): string {
  const without = text.replace(/\{[^[\]{}]*\}|\[[^[\]{}]*\]/g, (part) => "|".repeat(part.length));
  return without === text ? text : withoutClosed(without);
}

function startOfItem(line: string, bracket: number, at: number): number {
  const first = Math.max(bracket, line.lastIndexOf(",", at - 1)) + 1;
  return first + (/^ */.exec(line.slice(first))?.[0].length ?? 0);
}

/** Where a text ends: at a comma or a bracket that is not its own. */
function endOfText(line: string, at: number, outer: string): number | undefined {
  let depth = 0;
  for (let index = at; index < line.length; index++) {
    const sign = line[index] ?? "";
    if (sign === "{" || sign === "[") depth++;
    else if (depth === 0 && (sign === "," || sign === "}" || sign === "]")) {
      const isNextKey = /^, *(?:(?:[\w$.-]+|"[^"]*") *:|[}\]]|$)/.test(line.slice(index));
      return sign !== "," || outer === "[" || isNextKey ? index : undefined;
    } else if (sign === "}" || sign === "]") depth--;
  }
  return undefined;
}

/** A text as it is written, in quotes that need no escapes. */
export function quotedSource(written: string): string {
  if (!/["\\]/.test(written)) return `"${written}"`;
  return written.includes("'") ? JSON.stringify(written) : `'${written}'`;
}
