import { readdirSync } from "node:fs";
import { isMap, parseDocument } from "yaml";
import { explainedRules } from "../../4-compare/catalogue/explanations.js";
import { explanationPath } from "../../cli/site-address.js";
import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import type { Explanation } from "../../model/explanations.js";
import { packageRoot, readPackaged } from "../../text/package-root.js";

/** A page of the site before it is HTML. */
export interface SitePage {
  /** From the beginning of the site: `diagnostics/MW1203.html`. */
  readonly path: string;
  readonly title: string;
  /** Its links are relative to the page. */
  readonly markdown: string;
}

/** All pages of the site: the language field by field, what `explain` says, and the examples. */
export function sitePages(): SitePage[] {
  const diagnostics = explainedDiagnostics();
  const rules = explainedRules();
  return [
    homePage(diagnostics.length, rules.length),
    ...referencePages(readPackaged("schemas/REFERENCE.md")),
    listPage("diagnostics", "Diagnostics", DIAGNOSTICS, diagnostics),
    ...diagnostics.map(explanationPage),
    listPage("changes", "Changes of a manifest", CHANGES, rules),
    ...rules.map(explanationPage),
    ...examplePages(),
  ];
}

const DIAGNOSTICS =
  "What `mcpwright` reports of a manifest and of a project. `mcpwright explain CODE` prints the same in a terminal.";
const CHANGES =
  "What `mcpwright plan`, `diff` and `generate` say of two versions of a manifest, in the view of those who call the server.";

function homePage(diagnostics: number, rules: number): SitePage {
  const markdown = `# mcpwright

A YAML manifest describes tools, resources, prompts and skills. \`mcpwright generate\` compiles it into a typed, tested server of the Model Context Protocol, and compiles it again after each change without losing what a person wrote.

- [The manifest, field by field](reference/index.html)
- [Examples](examples/index.html)
- [${diagnostics} diagnostics](diagnostics/index.html), each with what causes it, an example, and what mends it
- [${rules} kinds of changes](changes/index.html) that callers of a server may notice
`;
  return { path: "index.html", title: "mcpwright", markdown };
}

/** A page for each section. In the columns of types, the names of sections become links. */
function referencePages(reference: string): SitePage[] {
  const [intro = "", top = "", ...sections] = reference.split(/^## /m);
  const names = sections.map((section) => /^\`([^\`]+)\`/.exec(section)?.[1] ?? "");
  const linked = (section: string): string => withLinkedTypes(section, names);
  const list = names.map((name) => `- [\`${name}\`](${name}.html)`).join("\n");
  const [heading = ""] = intro.split("\n");
  const index = `${heading}\n\n${linked(top.slice(top.indexOf("\n")))}\n\n## Types\n\n${list}\n`;
  return [
    { path: "reference/index.html", title: "The manifest, field by field", markdown: index },
    ...sections.map((section, place) => ({
      path: `reference/${names[place]}.html`,
      title: `${names[place]}: the manifest, field by field`,
      markdown: `# ${linked(section)}`,
    })),
  ];
}

function withLinkedTypes(section: string, names: readonly string[]): string {
  const types = new RegExp(`(?<![\\w"/-])(?:${names.join("|")})(?![\\w"/:?-])`, "g");
  const row = /^(\| \`[^\`]+\` \| )((?:[^|\\]|\\.)*)( \|)/gm;
  return section.replace(
    row,
    (_all, before: string, type: string, after: string) =>
      before + type.replace(types, (name) => `[${name}](${name}.html)`) + after,
  );
}

function listPage(
  folder: string,
  heading: string,
  intro: string,
  entries: readonly Explanation<string>[],
): SitePage {
  const rows = entries.map(
    ({ code, severity, title }) => `| [${code}](${code}.html) | ${severity} | ${title} |`,
  );
  const table = ["| Code | Severity | What it says |", "| --- | --- | --- |", ...rows].join("\n");
  return {
    path: `${folder}/index.html`,
    title: heading,
    markdown: `# ${heading}\n\n${intro}\n\n${table}\n`,
  };
}

function explanationPage({
  code,
  severity,
  title,
  cause,
  example,
  fix,
}: Explanation<string>): SitePage {
  const markdown = `# ${code}: ${title}\n\n*${severity}*\n\n${cause}\n\n${fenced(example)}\n\n${fix}\n`;
  return { path: explanationPath(code), title: `${code}: ${title}`, markdown };
}

function examplePages(): SitePage[] {
  const folders = readdirSync(new URL("examples/", packageRoot), { withFileTypes: true });
  const examples = folders
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, manifest: readPackaged(`examples/${name}/mcp.yaml`) }));
  const list = examples.map(
    ({ name, manifest }) => `- [\`${name}\`](${name}.html): ${descriptionOf(manifest)}`,
  );
  return [
    {
      path: "examples/index.html",
      title: "Examples",
      markdown: `# Examples\n\n${list.join("\n")}\n`,
    },
    ...examples.map(({ name, manifest }) => ({
      path: `examples/${name}.html`,
      title: `${name}: an example`,
      markdown: `# ${name}\n\n${descriptionOf(manifest)}\n\n${fenced(manifest.trimEnd())}\n`,
    })),
  ];
}

/** The description of an example's server, as its manifest says it. */
function descriptionOf(manifest: string): string {
  const { contents } = parseDocument(manifest);
  const description = isMap<string, unknown>(contents) ? contents.get("description") : undefined;
  return typeof description === "string" ? description.trim() : "a server without a description";
}

/** A block of YAML. The examples themselves may have fences in their texts. */
function fenced(text: string): string {
  const [longest = ""] = (text.match(/`{3,}/g) ?? []).sort(
    (one, other) => other.length - one.length,
  );
  const fence = "`".repeat(Math.max(3, longest.length + 1));
  return `${fence}yaml\n${text}\n${fence}`;
}
