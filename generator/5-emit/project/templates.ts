import { stringify } from "yaml";
import { STARTING_BODIES } from "../../bodies/index.js";
import type { JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { writeString } from "../../text/literal.js";
import { compileTemplate } from "./compile-template.js";
import { jsonText, READABLE_WIDTH } from "./json-text.js";
import { code, fenced, paragraphs, prose, revealInvisible } from "../../text/markdown.js";
import { fieldTable } from "./markdown-table.js";
import type { FieldRow } from "./schema-in-words.js";

/** The templates of a project's files, and of the manifests that `init` writes. */
export const TEMPLATE_NAMES = [
  "AGENTS.md",
  "Dockerfile",
  "README.md",
  "SERVER.md",
  "dockerignore",
  "env.example",
  "gitattributes",
  "prettierignore",
  "gitignore",
  "starter-full.yaml",
  "starter-minimal.yaml",
  ...STARTING_BODIES.map((kind) => `starter-${kind}.yaml` as const),
  "workflows/check.yml",
  "workflows/release.yml",
] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/**
 * The only helpers by which templates print values. Each makes a value safe for one kind of place. Templates
 * must not print a value without a helper.
 */
export const templateHelpers = {
  /** Markdown code span. */
  code: (text: string) => code(text),
  /** Markdown text on one line. */
  prose: (text: string) => prose(text),
  /** Markdown text that keeps its line breaks. */
  paragraphs: (text: string) => paragraphs(text),
  /** Fenced block of JSON. */
  jsonBlock: (value: JsonValue) => fenced("json", jsonText(value, READABLE_WIDTH)),
  /** Fenced block of the configuration of a proxy. */
  nginxBlock: (text: string) => fenced("nginx", text),
  caddyBlock: (text: string) => fenced("caddyfile", text),
  /** Markdown table of a schema's fields. */
  fieldTable: onceForEach((rows: readonly FieldRow[]) => fieldTable(rows)),
  /** URL of a Markdown link. Characters that could end the link are encoded. */
  link: (address: string) => address.replace(/[^\w!@#$%&*+,\-./:;=?~]/gu, encodeURIComponent),
  /** A command of a Dockerfile in exec form, which no shell reads. */
  execForm: (words: readonly string[]) => JSON.stringify(words),
  /** One line of an environment file. */
  envLine: (text: string) => revealInvisible(text),
  /** A path in a `.gitignore`. In place of a character that could have a meaning there, any character matches. */
  ignoredPath: (path: string) => path.replace(/[^\w./-]/gu, "?"),
  /** String literal in a TypeScript example. */
  literal: (text: string) => writeString(text),
  /** A name that the compiler chose for generated code. */
  identifier: (name: string) => name.replace(/[^\w$]/g, ""),
  /** A YAML scalar on one line. */
  yaml: (text: string) => stringify(text, { lineWidth: 0, defaultStringType: "PLAIN" }).trimEnd(),
  /** The start of a placeholder in the manifest. Written directly, it would start one of the template. */
  openBraces: () => "{{",
  /** A text or number that comes from mcpwright and not from the manifest, such as a version. */
  fixed: (value: string | number) => String(value),
};

const compiled = new Map<TemplateName, Promise<(view: object) => string>>();

/** Renders a template of `templates/project/`. Each template is compiled once per process. */
export async function renderTemplate(name: TemplateName, view: object): Promise<string> {
  const template = compiled.get(name) ?? compileTemplate(name, templateHelpers);
  compiled.set(name, template);
  return (await template)(view);
}
