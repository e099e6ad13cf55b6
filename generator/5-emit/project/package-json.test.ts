import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../model/json.js";
import type { Manifest } from "../../model/manifest.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { npm } from "../../testing/harness/runner/programs.js";
import { normalize } from "../../3-normalize/normalize.js";
import { commandName, httpTransport } from "../model-facts.js";
import { packageJson } from "./package-json.js";
import { localUrl } from "./local-url.js";

const http = httpTransport(weatherModel) as HttpTransportModel;

test("the command of a package is its name without the scope", () => {
  assert.is(commandName(weatherModel), "weather");
  assert.is(commandName({ ...weatherModel, name: "weather" }), "weather");
});

test("the URL of a server is safe in a shell", () => {
  assert.is(localUrl({ ...http, host: "::1", port: 80 }), "http://[::1]:80/mcp");
  assert.is(localUrl({ ...http, host: "[::1]", port: 80 }), "http://[::1]:80/mcp");
  assert.is(localUrl({ ...http, host: "[::]" }), "http://127.0.0.1:3000/mcp");
  assert.is(localUrl({ ...http, host: "0.0.0.0" }), "http://127.0.0.1:3000/mcp");
  const hostile = localUrl({ ...http, path: '/a"$(id)`;é' });
  assert.is(hostile, "http://127.0.0.1:3000/a%22%24%28id%29%60%3B%C3%A9");
});

test("a repository has the type git unless the manifest has another", () => {
  const repositoryOf = (repository: JsonValue) =>
    packageJson({ ...weatherModel, repository })["repository"];
  const url = "https://example.com/a";
  assert.equal(repositoryOf({ url }), { type: "git", url });
  assert.equal(repositoryOf({ type: "svn", url }), { type: "svn", url });
  assert.is(repositoryOf("github:acme/weather"), "github:acme/weather");
});

test("the line end after a description from a YAML block is removed", () => {
  const description = "Weather.\nFor all.\n";
  assert.is(packageJson({ ...weatherModel, description })["description"], "Weather.\nFor all.");
});

test("a published server has no dependencies, and a project only those that its server uses", () => {
  const model = { ...weatherModel, transports: [{ type: "stdio" as const }] };
  const { dependencies, devDependencies } = packageJson(model);
  assert.is(dependencies, undefined);
  assert.equal(Object.keys(devDependencies as object), [
    ...["@mcpwright/runtime", "@modelcontextprotocol/client", "@types/node"],
    ...["esbuild", "tsx", "typescript", "uvu"],
  ]);
});

/** The entries of `files` of a server with these folders of files and of skills. */
function publishedOf(
  directories: readonly { root: string | { env: string }; hidden?: boolean }[],
  settings: Partial<Manifest> = {},
): JsonValue {
  const resourceTemplates = directories.map((directory, index) => ({
    ...{ name: `docs${index}`, uriTemplate: `docs${index}:///{+path}`, directory },
  }));
  const model = normalize({ name: "a", version: "1.0.0", resourceTemplates, ...settings });
  return packageJson(model)["files"] as JsonValue;
}

test("a package has the folders of the project whose files clients read, and no others", () => {
  const always = ["dist/bundle.mjs", "SERVER.md"];
  assert.equal(publishedOf([{ root: "./docs/", hidden: true }]), [...always, "/docs/**"]);
  const inBrackets = ["/docs \\(1\\)/a/**", "!/docs \\(1\\)/a/**/.*"];
  assert.equal(publishedOf([{ root: "docs (1)/a" }]), [...always, ...inBrackets]);
  const elsewhere = [".", "..", "a/../..", "../docs", "/srv", "C:\\docs", ".git", { env: "DOCS" }];
  for (const root of elsewhere) {
    assert.equal(publishedOf([{ root }]), always, JSON.stringify(root));
  }
});

test("npm packs the files that clients can read, from folders of any name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-published-"));
  const odd = "a [b]!(c)/{d}+@";
  const read = ["docs/a.md", "docs/skills/s/SKILL.md", "docs/sub/.keep", "docs/sub/.a/b"];
  read.push(`${odd}/e.md`, "texts/notes [1].txt", "docs/.terms");
  const unread = [
    "docs/.env",
    "docs/.aws/credentials",
    "docs/skills/s/.env",
    `${odd}/.env`,
    "b.md",
  ];
  try {
    for (const path of [...read, ...unread]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), "text");
    }
    const directories = [{ root: "docs/sub", hidden: true }, { root: "docs" }, { root: odd }];
    const files = publishedOf(directories, {
      skills: [{ root: "docs/skills" }],
      resources: ["texts/notes [1].txt", "docs/.terms"].map((file, index) => ({
        ...{ name: `text${index}`, uri: `a://${index}`, file },
      })),
    });
    const manifest = { name: "a", version: "1.0.0", files };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    const output = await npm(folder, "pack", "--dry-run", "--json", "--silent");
    const [packed] = Object.values(JSON.parse(output) as object) as [{ files: { path: string }[] }];
    assert.equal(packed.files.map(({ path }) => path).sort(), [...read, "package.json"].sort());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the Inspector gets the URL of a server that has only HTTP", () => {
  const { inspect } = packageJson({ ...weatherModel, transports: [http] })["scripts"] as {
    inspect: string;
  };
  assert.match(inspect, / --transport http --server-url "http:\/\/127\.0\.0\.1:3000\/mcp"$/);
});

test("the script of the Inspector checks the version of Node.js before it fetches the Inspector", () => {
  const { preinspect } = packageJson(weatherModel)["scripts"] as { preinspect: string };
  assert.is(preinspect, 'mcpwright-runtime check-node 22.19 "The MCP Inspector"');
});

test.run();
