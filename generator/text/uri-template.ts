import type { UriTemplatePart } from "../model/server-model.js";
import { isIntegerLike, isObjectMember } from "./reserved-names.js";

/*
 * Packages for RFC 6570 expand templates, but do not tell which templates are ambiguous or slow to match, nor where in a
 * template a problem is.
 */

type Expression = Extract<UriTemplatePart, { kind: "expression" }>;

export type UriTemplateProblemKind =
  /** A brace without a counterpart, or `{}`. */
  | "lone brace"
  /** A feature of RFC 6570 that is ambiguous to match, or not linear in time. */
  | "unsupported"
  | "bad variable"
  | "reserved variable"
  | "repeated variable"
  /** A URI could be matched in more than one way. */
  | "ambiguous";

/** A problem of a template; offset and length are in UTF-16 units. */
export interface UriTemplateProblem {
  readonly kind: UriTemplateProblemKind;
  readonly offset: number;
  readonly length: number;
  /** The variable, expression or text that the problem is about. */
  readonly found: string;
}

export type ParsedUriTemplate =
  | { readonly ok: true; readonly parts: readonly UriTemplatePart[] }
  | { readonly ok: false; readonly problem: UriTemplateProblem };

interface LocatedPart {
  readonly part: UriTemplatePart;
  readonly offset: number;
  readonly source: string;
}

/**
 * Parses a URI template of the manifest's subset of RFC 6570, in time linear in its length.
 * Reports the first problem.
 */
export function parseUriTemplate(template: string): ParsedUriTemplate {
  const locatedParts: LocatedPart[] = [];
  const seen = new Set<string>();
  for (const segment of splitAtBraces(template)) {
    const result = segment.isExpression ? parseExpression(segment, seen) : parseLiteral(segment);
    if ("kind" in result) return { ok: false, problem: result };
    locatedParts.push(result);
  }
  const problem = findAmbiguity(locatedParts);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, parts: locatedParts.map(({ part }) => part) };
}

interface Segment {
  readonly isExpression: boolean;
  readonly source: string;
  readonly offset: number;
}

/** Literals, expressions in braces, and braces without a counterpart. */
function splitAtBraces(template: string): Segment[] {
  return [...template.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)].map(({ 0: source, index }) => ({
    isExpression: source.length > 1 && source.startsWith("{"),
    source,
    offset: index,
  }));
}

function problemAt(
  kind: UriTemplateProblemKind,
  { offset, source }: { offset: number; source: string },
  found = source,
): UriTemplateProblem {
  return { kind, offset, length: source.length, found };
}

function parseLiteral(segment: Segment): LocatedPart | UriTemplateProblem {
  const { source, offset } = segment;
  if (source === "{" || source === "}") return problemAt("lone brace", segment);
  return { part: { kind: "literal", text: source }, offset, source };
}

const isOperator = (character: string): character is "+" | "/" | "." | "?" =>
  ["+", "/", ".", "?"].includes(character);

function parseExpression(segment: Segment, seen: Set<string>): LocatedPart | UriTemplateProblem {
  const { source, offset } = segment;
  const inner = source.slice(1, -1);
  if (inner === "") return problemAt("lone brace", segment);
  const first = inner.charAt(0);
  if (/[#;&=,!@|]/.test(first)) return problemAt("unsupported", segment);
  const operator = isOperator(first) ? first : "";
  const variables = inner.slice(operator.length).split(",");
  for (const variable of variables) {
    const kind = variableProblem(variable.replace(/\*$|:[0-9]*$/, ""), seen);
    if (kind !== undefined) return problemAt(kind, segment, variable);
  }
  const hasModifier = variables.some((variable) => /[*:]/.test(variable));
  const explode = operator === "/" && variables.length === 1 && inner.endsWith("*");
  const isUnsupported = (hasModifier && !explode) || (variables.length > 1 && operator !== "?");
  if (isUnsupported) return problemAt("unsupported", segment);
  const names = variables.map((variable) => variable.replace(/\*$/, ""));
  return { part: { kind: "expression", operator, names, explode }, offset, source };
}

function variableProblem(name: string, seen: Set<string>): UriTemplateProblemKind | undefined {
  if (isObjectMember(name) || isIntegerLike(name)) return "reserved variable";
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "bad variable";
  if (seen.has(name)) return "repeated variable";
  seen.add(name);
  return undefined;
}

const isGreedy = ({ operator, explode }: Expression): boolean => operator === "+" || explode;

/**
 * A value can have any character except a slash, so that there must be a slash between two expressions; a query begins at
 * its question mark. At most one expression can match several path segments. `{/path*}` and `{?…}` must be the last.
 */
function findAmbiguity(locatedParts: readonly LocatedPart[]): UriTemplateProblem | undefined {
  let previous: Expression | undefined;
  let textBetween = "";
  let greedy = false;
  for (const current of locatedParts) {
    const { part } = current;
    if (previous?.operator === "?") return problemAt("unsupported", current);
    if (previous?.explode === true && !isQuery(part)) return problemAt("unsupported", current);
    if (part.kind === "literal") {
      textBetween += part.text;
      continue;
    }
    if (part.operator === "/") textBetween += "/";
    if (greedy && isGreedy(part)) return problemAt("ambiguous", current);
    const isSeparated = isQuery(part) || textBetween.includes("/");
    if (previous !== undefined && !isSeparated) return problemAt("ambiguous", current);
    greedy ||= isGreedy(part);
    previous = part;
    textBetween = "";
  }
  return undefined;
}

const isQuery = (part: UriTemplatePart): boolean =>
  part.kind === "expression" && part.operator === "?";
