import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { BuiltPage } from "../model/built-page.js";
import { packageRoot } from "../text/package-root.js";

/** The folder with the sources of the page, relative to the package's folder. */
const SOURCES = "templates/page/";

/**
 * Bundles `templates/page/` and the libraries that it uses into one HTML document. The document sends requests to
 * its own server only.
 *
 * @param file where to write the page, as the compressed JSON of a `BuiltPage`
 * @returns the modules that the page contains
 */
export async function buildPage(file: URL): Promise<Metafile["inputs"]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: { page: `${SOURCES}main.tsx`, style: `${SOURCES}style.css` },
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
  const page = JSON.stringify(pageOf(template, textOf(".js"), textOf(".css")));
  await writeFile(file, gzipSync(page, { level: 9 }));
  return metafile.inputs;
}

function pageOf(template: string, script: string, style: string): BuiltPage {
  const policy = policyFor(script, style);
  const parts: Readonly<Record<string, string>> = { policy, script, style };
  return { policy, html: template.replace(/\{\{(\w+)\}\}/g, (_all, name) => parts[name] ?? "") };
}

/** Allows only this script and this style, `data:` URLs for images and sounds, and requests to the page's own server. */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "media-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
