import Handlebars from "handlebars";
import { Marked } from "marked";
import { readPackaged } from "../../text/package-root.js";
import type { SitePage } from "./site-pages.js";

/** The sections that each page links to. */
const SECTIONS = [
  ["Manifest", "reference/index.html"],
  ["Examples", "examples/index.html"],
  ["Diagnostics", "diagnostics/index.html"],
  ["Changes", "changes/index.html"],
] as const;

/** A Markdown parser that reads HTML as text, and lets wide tables be scrolled. */
const marked = new Marked({
  gfm: true,
  tokenizer: { html: () => undefined, tag: () => undefined },
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll("<table>", '<div class="table"><table>')
        .replaceAll("</table>", "</table></div>"),
  },
});

/**
 * The files of the site, by their paths, without the script of the search.
 * @param version of mcpwright, which each page names
 */
export function renderSite(pages: readonly SitePage[], version: string): Map<string, string> {
  const layout = Handlebars.compile(readPackaged("templates/site/page.html"), { strict: true });
  const codes = new Set(
    pages.flatMap(({ path }) => /^diagnostics\/(MW\d+)\./.exec(path)?.[1] ?? []),
  );
  const files = new Map<string, string>();
  for (const { path, title, markdown } of pages) {
    const root = "../".repeat(path.split("/").length - 1);
    const sections = SECTIONS.map(([name, index]) => ({
      name,
      path: index,
      isCurrent: folderOf(index) === folderOf(path),
    }));
    const text = withLinkedCodes(markdown, root, codes);
    const content = marked.parse(text, { async: false }).trimEnd();
    files.set(path, layout({ title, version, root, sections, content }));
  }
  files.set("style.css", readPackaged("templates/site/style.css"));
  files.set("documents.js", searchedTexts(pages));
  return files;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** Links the codes that a text mentions outside of code and headings. @param root the way back to the beginning of the site */
function withLinkedCodes(markdown: string, root: string, codes: ReadonlySet<string>): string {
  return markdown.replace(
    /^(`{3,})[^]*?^\1$|^#.*$|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|\bMW\d{4}\b/gm,
    (found) => (codes.has(found) ? `[${found}](${root}diagnostics/${found}.html)` : found),
  );
}

/** The texts in which the search looks, as a script. */
function searchedTexts(pages: readonly SitePage[]): string {
  const documents = pages.map(({ path, title, markdown }) => ({
    id: path,
    title,
    text: markdown
      .replace(/[`*#|[\]]|\(\S+\.html\)/g, " ")
      .replace(/\s+/g, " ")
      .slice(0, LONGEST_TEXT),
  }));
  return `globalThis.sitePages = ${JSON.stringify(documents)};\n`;
}

/** Longest text of a page that the search knows, in characters. Only manifests of examples are longer. */
const LONGEST_TEXT = 4_000;
