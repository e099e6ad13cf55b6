import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { mcpwrightVersion } from "../../cli/version.js";
import { packageRoot } from "../../text/package-root.js";
import { brokenLinks } from "./broken-links.js";
import { renderSite } from "./render-site.js";
import { sitePages } from "./site-pages.js";

/**
 * The site of the manifest language: its files by their paths. All links are relative, so that it works at any address,
 * and from a disk.
 * @throws Error if a link leads nowhere
 */
export async function makeSite(): Promise<ReadonlyMap<string, string>> {
  const files = renderSite(sitePages(), mcpwrightVersion());
  files.set("search.js", await searchScript());
  const broken = brokenLinks(files);
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join("\n")}`);
  return files;
}

async function searchScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: ["templates/site/search.ts"],
    tsconfig: "templates/page/tsconfig.json",
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: ["chrome123", "firefox120", "safari17.5"],
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
