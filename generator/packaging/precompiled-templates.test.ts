import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { dockerfileView } from "../5-emit/deploy/dockerfile.js";
import { envExampleEntry, serverVariables } from "../5-emit/project/env-example.js";
import { manifestView } from "../5-emit/project/manifest-view.js";
import { agentsView, readmeView } from "../5-emit/project/readme.js";
import { serverDocumentView } from "../5-emit/project/server-document.js";
import { renderTemplate, TEMPLATE_NAMES, type TemplateName } from "../5-emit/project/templates.js";
import { weatherModel } from "../testing/harness/projects/weather-model.js";
import { packageRoot } from "../text/package-root.js";
import { precompiledTemplates } from "./precompiled-templates.js";

const MANIFEST = "manifests/mcp.yaml";

/** What the templates are rendered with. Starter manifests share a view. */
const VIEWS: Readonly<Partial<Record<TemplateName, object>>> = {
  "AGENTS.md": agentsView(weatherModel, MANIFEST),
  Dockerfile: dockerfileView(weatherModel),
  "README.md": readmeView(weatherModel, MANIFEST),
  "SERVER.md": serverDocumentView(weatherModel),
  dockerignore: {},
  "env.example": { variables: serverVariables(weatherModel).map(envExampleEntry) },
  gitattributes: {},
  prettierignore: {},
  gitignore: { vercel: true },
  "workflows/check.yml": {
    ...manifestView(MANIFEST),
    ...{ bun: true, deno: true, workers: true, lambda: true, vercel: true, suite: "x.test.js" },
  },
  "workflows/release.yml": { npm: true, firstJob: "npm" },
};
const STARTER = {
  ...{ name: "weather", title: "Weather", stdio: true, http: true },
  ...{ tool: "echo", toolDescription: "Says a text back." },
};

function viewOf(name: TemplateName): object {
  const view = name.startsWith("starter-") ? STARTER : VIEWS[name];
  if (view === undefined) throw new Error(`no view for ${name}`);
  return view;
}

/** The module of the templates as it is in the bundle, and the modules that were put together for it. */
async function bundledTemplates(): Promise<{
  readonly render: typeof renderTemplate;
  readonly inputs: readonly string[];
}> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-templates-"));
  try {
    const outfile = join(folder, "templates.cjs");
    const { metafile } = await build({
      absWorkingDir: fileURLToPath(packageRoot),
      entryPoints: ["generator/5-emit/project/templates.ts"],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      define: { "import.meta.url": JSON.stringify(import.meta.url) },
      mainFields: ["module", "main"],
      metafile: true,
      plugins: [precompiledTemplates],
    });
    const loaded = (await import(pathToFileURL(outfile).href)) as {
      readonly renderTemplate: typeof renderTemplate;
    };
    return { render: loaded.renderTemplate, inputs: Object.keys(metafile.inputs) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const bundled = await bundledTemplates();

test("each template gives the same text in the bundle as from its source", async () => {
  for (const name of TEMPLATE_NAMES) {
    const expected = await renderTemplate(name, viewOf(name));
    assert.is.not(expected, "", name);
    assert.is(await bundled.render(name, viewOf(name)), expected, name);
  }
});

test("the compiler of templates is not in the bundle", () => {
  const compiler = bundled.inputs.filter((path) =>
    /handlebars\/.*compiler|source-map|precompiled-template\.ts/.test(path),
  );
  // The plugin's module has the path of the one that it stands for.
  assert.equal(compiler, ["generator/5-emit/project/precompiled-template.ts"]);
});

test.run();
