import type { OutputFile } from "../../model/output-file.js";
import { manifestView } from "../project/manifest-view.js";
import { renderTemplate } from "../project/templates.js";
import type { PackageKind } from "./package-kind.js";

/** The compiled tests of the manifest's contract. They can be run as a program. */
const CONTRACT_TESTS = "dist/test/generated/server.test.js";

/** The workflows for GitHub. People adapt them, and decide when they run and what they publish. */
export const github: PackageKind = {
  files: async (model, manifestPath) => {
    // An entry in the registry may say that the package is not published on npm.
    const npm = model.package?.registry?.npm ?? true;
    const { bun = false, deno = false, workers = false } = model.deploy ?? {};
    const { lambda = false, vercel = false } = model.deploy ?? {};
    const check = await renderTemplate("workflows/check.yml", {
      ...manifestView(manifestPath),
      ...{ bun, deno, workers, lambda, vercel, suite: CONTRACT_TESTS },
    });
    const firstJob = npm ? "npm" : "test";
    const release = await renderTemplate("workflows/release.yml", { npm, firstJob });
    return [workflow("check", check), workflow("release", release)];
  },
};

function workflow(name: string, content: string): OutputFile {
  return { owner: "merged", format: "text", path: `.github/workflows/${name}.yml`, content };
}
