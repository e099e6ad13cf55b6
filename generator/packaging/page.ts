import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { BuiltPage } from "../model/built-page.js";
import { packageRoot } from "../text/package-root.js";

/** The folder with the sources of the page, relative to the package's folder. */
const SOURCES = "templates/page/";

/** A document that is made of sources of the page. */
interface PageSources {
  readonly script: string;
  readonly style: string;
  readonly title: string;
  /** What is shown until the script has answers. */
  readonly waiting: string;
  /** What its policy allows beside its own script and style. */
  readonly allows: readonly string[];
}

/** The page for people, which sends requests to its own server only. */
const PEOPLE: PageSources = {
  ...{ script: "main.tsx", style: "style.css" },
  ...{ title: "MCP server", waiting: "Connecting to the server…" },
  allows: ["img-src data:", "media-src data:", "connect-src 'self'", "trusted-types dompurify"],
};

/** The page of MCP Apps, which sends no requests: it talks with the window around it. */
const RESULT: PageSources = {
  ...{ script: "result/main.tsx", style: "result/style.css" },
  ...{ title: "Result", waiting: "Running…" },
  allows: ["img-src data:", "trusted-types 'none'"],
};

/**
 * Bundles `templates/page/` and the libraries that it uses into two HTML documents: the page for people, and that of MCP Apps.
 *
 * @param file where to write the pages, as the compressed JSON of a `BuiltPage`
 * @returns the modules that the pages contain
 */
export async function buildPage(file: URL): Promise<Metafile["inputs"]> {
  const [people, result] = [await bundlePage(PEOPLE), await bundlePage(RESULT)];
  const page: BuiltPage = { ...people.page, result: result.page.html };
  await writeFile(file, gzipSync(JSON.stringify(page), { level: 9 }));
  return { ...people.inputs, ...result.inputs };
}

async function bundlePage(sources: PageSources): Promise<{
  readonly page: Omit<BuiltPage, "result">;
  readonly inputs: Metafile["inputs"];
}> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: { page: SOURCES + sources.script, style: SOURCES + sources.style },
    outdir: "page",
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["chrome123", "firefox120", "safari17.5"],
    tsconfig: `${SOURCES}tsconfig.json`,
    charset: "ascii",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const textOf = (extension: string): string =>
    outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? "";
  const template = await readFile(new URL(`${SOURCES}page.html`, packageRoot), "utf8");
  const [script, style] = [textOf(".js"), textOf(".css")];
  const policy = policyFor(script, style, sources.allows);
  const { title, waiting } = sources;
  const parts: Readonly<Record<string, string>> = { policy, script, style, title, waiting };
  const html = template.replace(/\{\{(\w+)\}\}/g, (_all, name) => parts[name] ?? "");
  return { page: { policy, html }, inputs: metafile.inputs };
}

/** Allows only this script and this style, and what the page says that it needs. */
function policyFor(script: string, style: string, allows: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    ...allows,
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
