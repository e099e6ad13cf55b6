import { readdirSync } from "node:fs";
import { packageRoot, readPackaged } from "../text/package-root.js";

/** The long form of a diagnostic or of a rule for semantic changes, printed by `mcpwright explain CODE`. */
export interface Explanation<Severity> {
  readonly code: string;
  readonly severity: Severity;
  /** A few words for lists: "unknown key". */
  readonly title: string;
  readonly cause: string;
  /** A short manifest, the manifests before and after, a command line or a sentence that provokes it. */
  readonly example: string;
  readonly fix: string;
}

/** The parts of a section of Markdown: code and title, cause, example, fix. */
const SECTION = /^(\S+) (.+)\n\n([^]+?)\n\n```\w+\n([^]+?)\n```\n\n([^]+?)\n*$/;

/**
 * The explanations of codes, in their order. They stand in Markdown beside the messages, a section for each code. Only
 * commands that show them read them.
 *
 * @param folder of the package, with `/` at its end
 */
export function readExplanations<Severity>(
  folder: string,
  codes: readonly { readonly code: string; readonly severity: Severity }[],
): Explanation<Severity>[] {
  const files = readdirSync(new URL(folder, packageRoot)).filter((name) => name.endsWith(".md"));
  const sections = files.flatMap((name) =>
    readPackaged(folder + name)
      .split(/^## /m)
      .slice(1),
  );
  const explanations = new Map(sections.map(readSection));
  return codes.map(({ code, severity }) => {
    const texts = explanations.get(code);
    if (texts === undefined) throw new Error(`${code} has no explanation`);
    return { code, severity, ...texts };
  });
}

function readSection(section: string): [string, Omit<Explanation<never>, "code" | "severity">] {
  const [, code, title = "", cause = "", example = "", fix = ""] = SECTION.exec(section) ?? [];
  if (code === undefined) throw new Error(`not an explanation: ${section}`);
  return [code, { title, cause: onOneLine(cause), example, fix: onOneLine(fix) }];
}

const onOneLine = (paragraph: string): string => paragraph.replaceAll("\n", " ");
