import { isMap, isScalar, isSeq, type CST, type ParsedNode, type YAMLMap } from "yaml";
import { inFileOrder, type Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import {
  foreignSpace,
  multipleDocuments,
  nonScalarKey,
  rootNotMapping,
  yamlDirective,
  yamlSyntax,
  yamlTag,
} from "../model/catalogue/load.js";
import { tooDeep, tooManyTokens } from "../model/catalogue/load-limits.js";
import { excerpt } from "../text/excerpt.js";
import { NodeCheck } from "./check-nodes.js";
import { composeNodes, type SyntaxAdvice, type SyntaxProblem } from "./compose.js";
import { convertMapping } from "./convert.js";
import { decodeText } from "./decode.js";
import { beginsWithFence } from "./foreign-habits.js";
import { findForeignSpaces } from "./foreign-spaces.js";
import { LIMITS } from "./limits.js";
import { indexLines, type LineIndex } from "./line-index.js";
import { createLocator } from "./locate.js";
import { nothingSpent, scanYaml, type Scan, type ScanProblem, type Spent } from "./scan.js";
import { adviseOn, usualAdvice } from "./syntax-advice.js";

export interface LoadResult {
  /** Absent when there is an error. */
  readonly manifest?: LoadedManifest;
  /** In file order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses bytes to a manifest with positions. Pure.
 *
 * @param file the path that diagnostics carry
 * @param spent what files that were read before have used of limits for all of them
 * @param isPart whether another manifest includes it
 */
export function loadManifest(
  file: string,
  bytes: Uint8Array,
  spent: Spent = nothingSpent(),
  isPart = false,
): LoadResult {
  const decoded = decodeText(file, bytes);
  if ("problem" in decoded) return { diagnostics: [decoded.problem] };
  // CRLF becomes LF before parsing. Lines, columns and block scalars stay the same.
  const text = decoded.text.replaceAll("\r\n", "\n");
  const lines = indexLines(file, text);
  const scan = scanYaml(text, spent);
  const composed = scan.document && composeNodes(scan.document);
  const syntax = syntaxDiagnostics(scan, composed?.problems ?? [], lines);
  if (syntax.length > 0) return { diagnostics: inFileOrder(syntax) };
  const unsupported = scan.problems.map((problem) => scanDiagnostic(problem, lines));
  // There is no document if the scan stopped early or the file has only comments.
  if (composed === undefined && unsupported.length > 0) return { diagnostics: unsupported };
  const root = composed?.root ?? null;
  const { manifest, diagnostics }: LoadResult = isMap(root)
    ? loadRoot(decoded.text, root, lines, new NodeCheck(lines, spent))
    : { diagnostics: [rootDiagnostic(root, lines, isPart)] };
  const all = inFileOrder([...unsupported, ...diagnostics]);
  return unsupported.length > 0 || manifest === undefined
    ? { diagnostics: all }
    : { manifest, diagnostics: all };
}

function loadRoot(
  text: string,
  root: YAMLMap.Parsed,
  lines: LineIndex,
  check: NodeCheck,
): LoadResult {
  check.check(root, 0);
  check.reportUnusedAnchors();
  const { diagnostics, aliasTargets } = check;
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
  const { file } = lines.place(0, 0);
  const manifest = {
    file,
    texts: new Map([[file, text]]),
    value: convertMapping(root, aliasTargets),
    locate: createLocator(root as YAMLMap, aliasTargets, lines),
  };
  return { manifest, diagnostics };
}

function rootDiagnostic(root: ParsedNode | null, lines: LineIndex, isPart: boolean): Diagnostic {
  const notMapping = (range: [number, number], found: string): Diagnostic =>
    rootNotMapping(lines.place(...range), { found, isPart });
  if (isSeq(root)) return notMapping(startOf(root), "a list");
  const isEmpty = !isScalar(root) || root.value === null;
  return isEmpty ? notMapping([0, 0], "empty") : notMapping(startOf(root), "a single value");
}

function startOf({ range }: ParsedNode): [number, number] {
  return [range[0], range[0] + 1];
}

/** For at most so many syntax problems, the text around them is examined for their cause. */
const MAX_EXAMINED_PROBLEMS = 20;

/** Diagnostics of syntax errors. If there are any, the caller reports nothing else about the file. */
function syntaxDiagnostics(
  scan: Scan,
  composed: readonly SyntaxProblem[],
  lines: LineIndex,
): Diagnostic[] {
  const { text } = lines;
  const fromScan = scan.problems.filter((problem) => problem.kind === "unexpected token");
  const problems = [
    ...composed,
    ...fromScan.map((problem) => ({ code: problem.kind, ...problem })),
  ];
  const foreign = scan.document && foreignSpaceDiagnostic(scan.document, problems, lines);
  if (foreign !== undefined) return [foreign];
  const reported =
    hasConflictMarkers(text) || beginsWithFence(text)
      ? problems.slice(0, 1)
      : withoutConsequences(upToFirstTab(problems, text), lines);
  const explainedLines = new Set<number>();
  return reported.flatMap((problem, index) => {
    const { line } = lines.place(problem.start, problem.start);
    if (explainedLines.has(line)) return [];
    const isExamined = index < MAX_EXAMINED_PROBLEMS;
    const advice = isExamined ? adviseOn(problem, text, scan.document) : usualAdvice(problem);
    if (advice.explainsLine === true) explainedLines.add(line);
    return [syntaxDiagnostic(problem, advice, lines)];
  });
}

/** Reports the first foreign space. It makes a line mean something else, so that other problems follow from it. */
function foreignSpaceDiagnostic(
  document: CST.Document,
  problems: readonly SyntaxProblem[],
  lines: LineIndex,
): Diagnostic | undefined {
  const suspects = problems.slice(0, MAX_EXAMINED_PROBLEMS).map(({ start }) => start);
  const [first, ...others] = findForeignSpaces(lines.text, document, suspects);
  if (first === undefined) return undefined;
  const place = lines.place(first.start, first.start + 1);
  return foreignSpace(place, { ...first, more: others.length });
}

/** True if a git merge left its markers. The problems after the first marker mean nothing. */
const hasConflictMarkers = (text: string): boolean => /^<{7}(?: |$)/m.test(text);

/**
 * The problems up to the first in a line that a tab indents, which is reported as the tab. The later ones may follow
 * from it, and other tabs are the same mistake.
 */
function upToFirstTab(problems: readonly SyntaxProblem[], text: string): readonly SyntaxProblem[] {
  const tabs = problems.map(({ start }) => indentingTab(text, start));
  const [tab] = tabs.filter((offset) => offset !== undefined).sort((one, other) => one - other);
  if (tab === undefined) return problems;
  const start = text.lastIndexOf("\n", tab - 1) + 1;
  const problem = { code: "TAB_AS_INDENT", message: "Tabs are not allowed as indentation" };
  return [
    ...problems.filter((other) => other.start < start),
    { ...problem, start: tab, end: tab + 1 },
  ];
}

/** The offset of the tab in the indentation of the line at an offset. */
function indentingTab(text: string, offset: number): number | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const [indentation = ""] =
    /^[ \t]*(?:-[ \t]+)*/.exec(text.slice(start, start + LIMITS.depth)) ?? [];
  const index = indentation.indexOf("\t");
  return index === -1 ? undefined : start + index;
}

/**
 * Drops the error about a nested key if its line already has another problem, which is the cause, and the
 * error about a bracket whose end is lost in a comment.
 */
function withoutConsequences(
  problems: readonly SyntaxProblem[],
  lines: LineIndex,
): SyntaxProblem[] {
  const linesWithProblems = new Set<number>();
  return problems.filter(({ code, message, start }, index) => {
    const { line } = lines.place(start, start);
    const isConsequence =
      (code === "BLOCK_AS_IMPLICIT_KEY" && linesWithProblems.has(line)) ||
      (/^Flow .* end with a/.test(message) && isCommentAfterText(problems[index - 1]));
    linesWithProblems.add(line);
    return !isConsequence;
  });
}

const isCommentAfterText = (problem: SyntaxProblem | undefined): boolean =>
  problem?.message.startsWith("Comments must be separated") === true;

function syntaxDiagnostic(
  { message, start, end }: SyntaxProblem,
  advice: SyntaxAdvice,
  lines: LineIndex,
): Diagnostic {
  const place =
    advice.start === undefined
      ? lines.place(start, end)
      : lines.place(advice.start, advice.start + 1);
  const problem = `this is not YAML: ${advice.message ?? excerpt(message, 200)}`;
  const { hint, mend } = advice;
  return yamlSyntax(place, {
    problem,
    ...(hint !== undefined && { advice: hint }),
    ...(mend !== undefined && { mend }),
  });
}

function scanDiagnostic(problem: ScanProblem, lines: LineIndex): Diagnostic {
  const place = lines.place(problem.start, problem.end);
  switch (problem.kind) {
    case "tag":
      return yamlTag(place, { tag: excerpt(problem.source) });
    case "directive":
      return yamlDirective(place, { directive: excerpt(problem.source) });
    case "second document":
      return multipleDocuments(place, {});
    case "key is no scalar":
      return nonScalarKey(place, {});
    case "too deep":
      return tooDeep(place, { limit: LIMITS.depth });
    case "too many tokens":
      return tooManyTokens(place, { limit: LIMITS.tokens });
    case "unexpected token":
      return yamlSyntax(place, { problem: problem.message });
  }
}
