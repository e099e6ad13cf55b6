import { readdirSync } from "node:fs";
import { packageRoot, readPackaged } from "../../text/package-root.js";
import type { Severity } from "../diagnostic.js";
import { allEntries } from "./index.js";

/** The long form of a diagnostic, printed by `mcpwright explain CODE`. */
export interface Explanation {
  readonly code: string;
  readonly severity: Severity;
  /** A few words for lists: "unknown key". */
  readonly title: string;
  readonly cause: string;
  /** A short manifest, a command line or a sentence that provokes it. */
  readonly example: string;
  readonly fix: string;
}

const FOLDER = "generator/model/catalogue/";

/** The parts of a section of Markdown: code and title, cause, example, fix. */
const SECTION = /^(MW\d{4}) (.+)\n\n([^]+?)\n\n```\w+\n([^]+?)\n```\n\n([^]+?)\n*$/;

/**
 * The explanations of all codes, by code. They stand in Markdown beside the messages, a section for each code. Only
 * commands that show them read them.
 */
export function readExplanations(): Explanation[] {
  const files = readdirSync(new URL(FOLDER, packageRoot)).filter((name) => name.endsWith(".md"));
  const sections = files.flatMap((name) =>
    readPackaged(FOLDER + name)
      .split(/^## /m)
      .slice(1),
  );
  const explanations = new Map(sections.map(readSection));
  return allEntries.map(({ code, severity }) => {
    const texts = explanations.get(code);
    if (texts === undefined) throw new Error(`${code} has no explanation`);
    return { code, severity, ...texts };
  });
}

function readSection(section: string): [string, Omit<Explanation, "code" | "severity">] {
  const [, code, title = "", cause = "", example = "", fix = ""] = SECTION.exec(section) ?? [];
  if (code === undefined) throw new Error(`not an explanation: ${section}`);
  return [code, { title, cause: onOneLine(cause), example, fix: onOneLine(fix) }];
}

const onOneLine = (paragraph: string): string => paragraph.replaceAll("\n", " ");
