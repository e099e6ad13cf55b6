import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../model/json.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
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

test("a package has the folders of the project whose files clients read, without those that they cannot read", () => {
  const filesOf = (
    root: string | { env: string },
    hidden: boolean,
    skills: { root: string }[] = [],
  ) => {
    const directory = { root, hidden };
    const template = { name: "docs", uriTemplate: "docs:///{+path}", directory };
    const model = normalize({ name: "a", version: "1.0.0", resourceTemplates: [template], skills });
    return packageJson(model)["files"];
  };
  const always = ["dist/bundle.mjs", "SERVER.md"];
  assert.equal(filesOf("./docs/", true), [...always, "/docs"]);
  const inBrackets = ["/docs \\(1\\)/a", "!/docs \\(1\\)/a/**/.*"];
  assert.equal(filesOf("docs (1)/a", false), [...always, ...inBrackets]);
  // Clients read all files of a skill.
  const skills = [{ root: "docs/skills" }];
  assert.equal(filesOf("docs", false, skills), [...always, "/docs", "/docs/skills"]);
  const elsewhere = [".", "..", "a/../..", "../docs", "/srv", "C:\\docs", ".git", { env: "DOCS" }];
  for (const root of elsewhere) {
    assert.equal(filesOf(root, false), always, JSON.stringify(root));
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
