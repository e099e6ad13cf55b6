import { createRequire } from "node:module";
import type { AST } from "@eslint-community/regexpp";

const require = createRequire(import.meta.url);

/** The syntax that every supported version of Node.js reads: without modifiers such as `(?i:…)`. */
const ECMA_VERSION = 2024;

const MAX_GROUP_DEPTH = 50;

/** Whether a pattern has more groups in each other than are read. */
export function isTooDeep(source: string): boolean {
  let depth = 0;
  for (const [token] of source.matchAll(/\\.|[()]/gsu)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth > MAX_GROUP_DEPTH) return true;
  }
  return false;
}

/**
 * Reads a pattern of JSON Schema: ECMAScript with the `u` flag. Undefined if it has syntax that only newer engines read.
 * Loads the parser only when it is first needed.
 */
export function parsePattern(source: string): AST.Pattern | undefined {
  const { RegExpParser, RegExpSyntaxError } = loadParser();
  try {
    const parser = new RegExpParser({ ecmaVersion: ECMA_VERSION });
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return undefined;
    throw error;
  }
}

/** The library that reads patterns, which is large. */
export function loadParser(): typeof import("@eslint-community/regexpp") {
  return require("@eslint-community/regexpp") as typeof import("@eslint-community/regexpp");
}
