import { spawnSync } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../model/json.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { weatherModel } from "../../testing/weather-model.js";
import { commandName, httpTransport, localUrl, packageJson } from "./package-json.js";

const http = httpTransport(weatherModel) as HttpTransportModel;

test("the command is the name without its scope", () => {
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

test("a repository is one of git unless the manifest says another", () => {
  const repositoryOf = (repository: JsonValue) =>
    packageJson({ ...weatherModel, repository })["repository"];
  const url = "https://example.com/a";
  assert.equal(repositoryOf({ url }), { type: "git", url });
  assert.equal(repositoryOf({ type: "svn", url }), { type: "svn", url });
  assert.is(repositoryOf("github:acme/weather"), "github:acme/weather");
});

test("a description in a block of YAML loses the line end after it", () => {
  const description = "Weather.\nFor all.\n";
  assert.is(packageJson({ ...weatherModel, description })["description"], "Weather.\nFor all.");
});

test("a server without HTTP needs no HTTP package", () => {
  const model = { ...weatherModel, transports: [{ type: "stdio" as const }] };
  assert.equal(packageJson(model)["dependencies"], { "@modelcontextprotocol/server": "2.4.0" });
});

test("a server over HTTP alone is inspected at its URL", () => {
  const { inspect } = packageJson({ ...weatherModel, transports: [http] })["scripts"] as {
    inspect: string;
  };
  assert.match(inspect, / --transport http --server-url "http:\/\/127\.0\.0\.1:3000\/mcp"$/);
});

test("the inspector says which Node.js it needs before it is fetched", () => {
  const { preinspect } = packageJson(weatherModel)["scripts"] as { preinspect: string };
  const code = /^node -e "([^"$`]+)"$/.exec(preinspect)?.[1] ?? "";
  const on = (version: string) => {
    const disguise = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", disguise + code]);
    return { status, said: stderr.toString().trim() };
  };
  for (const version of ["20.19.0", "22.18.9"]) {
    const said = `The MCP Inspector needs Node.js 22.19 or newer; this is ${version}`;
    assert.equal(on(version), { status: 1, said });
  }
  for (const version of ["22.19.0", "24.0.0"]) assert.equal(on(version), { status: 0, said: "" });
  const { scripts } = packageJson({ ...weatherModel, transports: [] });
  assert.not(Object.hasOwn(scripts as object, "preinspect"));
});

test.run();
