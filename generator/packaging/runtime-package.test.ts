import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../text/package-root.js";

const sources = new URL("templates/runtime/", packageRoot);
const read = (path: string): { exports: object; version: string } =>
  JSON.parse(readFileSync(new URL(path, packageRoot), "utf8")) as never;

test("the entries of the package are the top-level modules of the runtime and those of validators", () => {
  const modules = readdirSync(sources)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".ts".length));
  const entries = modules.map((name) => (name === "index" ? "." : `./${name}`));
  const others = [
    "./mcp-part.schema.json",
    "./mcp.schema.json",
    "./package.json",
    "./tsconfig.json",
    "./validators/*",
  ];
  const { exports } = read("templates/runtime/package.json");
  assert.equal(Object.keys(exports).sort(), [...entries, ...others].sort());
});

test("the version of the package ends with a hash that is valid in a version, whatever its digits are", () => {
  const { version } = read("dist/runtime.json");
  assert.match(version, /^\d+\.\d+\.\d+-h[0-9a-f]{8}$/);
});

test("source maps say that each module of the sources is in one compiled file of the package", () => {
  const folder = new URL("dist/runtime/", packageRoot);
  const paths = (under: string): readonly string[] =>
    readdirSync(new URL(under, folder), { recursive: true, encoding: "utf8" });
  const compiled = paths("dist/")
    .filter((path) => path.endsWith(".js.map"))
    .flatMap((path) => {
      const map = new URL(`dist/${path}`, folder);
      const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
      return sources.map((source) => new URL(source, map).href);
    });
  const modules = paths("src/").filter((path) => /\.[jt]s$/.test(path));
  const known = new Set(modules.map((path) => new URL(`src/${path}`, folder).href));
  assert.ok(compiled.length > 300, `${compiled.length}`);
  assert.equal(new Set(compiled).size, compiled.length);
  assert.equal(
    compiled.filter((source) => !known.has(source)),
    [],
  );
});

test.run();
