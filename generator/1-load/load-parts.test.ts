import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { describesPath, findParts, partsOnDisk, problemOfPattern } from "./part-files.js";
import { loadWithParts, type LoadedFiles } from "./load-parts.js";
import type { PartFiles } from "./read-result.js";

/** Loads `mcp.yaml` of files in memory. */
function load(files: Readonly<Record<string, string>>): Promise<LoadedFiles> {
  const names = Object.keys(files).filter((name) => name !== "mcp.yaml");
  const parts: PartFiles = {
    find: (pattern) => Promise.resolve(names.filter((name) => describesPath(pattern, name)).sort()),
    read: (path) => Promise.resolve({ bytes: Buffer.from(files[path] ?? ""), diagnostics: [] }),
    shown: (path) => path,
  };
  return loadWithParts("mcp.yaml", Buffer.from(files["mcp.yaml"] ?? ""), parts);
}

const found = ({ diagnostics }: LoadedFiles): string[] =>
  diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);

test("items are joined in the order of the patterns, each at its place", async () => {
  const { manifest, diagnostics, texts } = await load({
    "mcp.yaml": "include: [b.yaml, tools/*.yaml, b.yaml]\ntools: [{name: own}]\nenv: {A: {}}\n",
    "tools/2.yaml": "tools: [{name: two}]\n",
    "tools/1.yaml": "x-note: 1\ntools:\n  - {name: one}\nprompts: [{name: p}]\n",
    "b.yaml": "tools: [{name: b}]\nenv: {B: {}}\n",
  });
  assert.equal(diagnostics, []);
  assert.equal(manifest?.value, {
    tools: [{ name: "own" }, { name: "b" }, { name: "one" }, { name: "two" }],
    prompts: [{ name: "p" }],
    env: { A: {}, B: {} },
  });
  assert.equal([...texts.keys()], ["mcp.yaml", "b.yaml", "tools/1.yaml", "tools/2.yaml"]);
  const at = (...path: (string | number)[]): string => {
    const { file, line, column } = manifest?.locate(path, "value") ?? { file: "" };
    return `${file}:${line}:${column}`;
  };
  assert.is(at("tools", 0, "name"), "mcp.yaml:2:16");
  assert.is(at("tools", 2, "name"), "tools/1.yaml:3:12");
  assert.is(at("prompts"), "tools/1.yaml:4:10");
  assert.is(at("env", "B"), "b.yaml:2:10");
  assert.is(at("env", "C"), "mcp.yaml:3:6");
  assert.is(at("nothing"), "mcp.yaml:1:1");
});

test("a manifest without include, or with an include of the wrong type, is read as one file", async () => {
  const { manifest } = await load({ "mcp.yaml": "include: tools/*.yaml\n" });
  assert.equal(manifest?.value, { include: "tools/*.yaml" });
  const mixed = await load({ "mcp.yaml": "include: [a.yaml, 1]\n" });
  assert.equal(mixed.manifest?.value, { include: ["a.yaml", 1] });
});

test("a key that an included file must not have is reported at its place", async () => {
  const result = await load({
    "mcp.yaml": "include: [a.yaml]\n",
    "a.yaml": "tools:\n  a: {}\nname: x\ninclude: [b.yaml]\n",
  });
  assert.equal(found(result), ["a.yaml:2:3 MW1201", "a.yaml:3:1 MW1033", "a.yaml:4:1 MW1033"]);
  assert.is(result.manifest, undefined);
});

test("the message about an included file that is no mapping differs from that about a manifest that is none", async () => {
  const manifest = "include: [a.yaml]\ntools: [{name: own}]\n";
  for (const text of ["", "# all moved\n", "- a\n", "a\n"]) {
    const result = await load({ "mcp.yaml": manifest, "a.yaml": text });
    assert.equal(found(result), ["a.yaml:1:1 MW1009"], text);
    const { message = "", hint = "" } = result.diagnostics[0] ?? {};
    assert.match(message, /^an included file is a mapping with keys such as "tools", but this is /);
    assert.is(hint, "write items into it, or delete the file");
  }
  const { diagnostics } = await load({ "mcp.yaml": "" });
  assert.match(diagnostics[0]?.message ?? "", /^a manifest is a mapping/);
});

test("a key that is in two files names both", async () => {
  const result = await load({
    "mcp.yaml": "include: [a.yaml]\nschemas: {City: {}}\n",
    "a.yaml": "# places\nschemas: {City: {}}\n",
  });
  assert.equal(found(result), ["a.yaml:2:11 MW1034"]);
  const [{ message, related = [] } = { message: "" }] = result.diagnostics;
  assert.match(message, "the first is on line 2 of mcp.yaml");
  assert.equal([related[0]?.file, related[0]?.line, related[0]?.column], ["mcp.yaml", 2, 11]);
});

test("problems of all files are reported, and their texts are there for code frames", async () => {
  const result = await load({
    "mcp.yaml": "include: [a.yaml, no.yaml, ../up.yaml]\n",
    "a.yaml": "tools: ]\n",
  });
  assert.equal(found(result), [
    "a.yaml:1:8 MW1008",
    "mcp.yaml:1:19 MW1030",
    "mcp.yaml:1:28 MW1029",
  ]);
  assert.is(result.texts.get("a.yaml"), "tools: ]\n");
});

test("only a pattern that finds no file is told what * stands for", async () => {
  const result = await load({ "mcp.yaml": "include: [no.yaml, no/*.yaml]\n" });
  const hints = result.diagnostics.map(({ code, hint = "none" }) => `${code} ${hint}`);
  assert.is(hints[0], "MW1030 none");
  assert.match(hints[1] ?? "", /^MW1030 \* stands for any part of one name/);
});

test("an alias finds only the anchors of its own file", async () => {
  const result = await load({
    "mcp.yaml": "include: [a.yaml]\nschemas: {A: &a {type: string}, B: *a}\n",
    "a.yaml": "schemas: {C: *a}\n",
  });
  assert.equal(found(result), ["a.yaml:1:14 MW1018"]);
});

test("the limits of one file hold for all included files together", async () => {
  const copies = "*a, ".repeat(30);
  const text = (name: string): string =>
    `schemas: {${name}: {x: &a [${"1, ".repeat(9_999)}], y: [${copies}]}}\n`;
  const aliases = await load({
    "mcp.yaml": `include: [a.yaml]\n${text("A")}`,
    "a.yaml": text("B"),
  });
  assert.equal(
    aliases.diagnostics.map(({ file, code }) => `${file} ${code}`),
    ["a.yaml MW1020"],
  );
  const half = `# ${"x".repeat(5 * 1024 * 1024)}\ntools: []\n`;
  const sizes = await load({ "mcp.yaml": `include: [a.yaml]\n${half}`, "a.yaml": half });
  assert.equal(found(sizes), ["a.yaml:1:1 MW1004"]);
  const keys = (name: string): string =>
    `schemas: {${Array.from({ length: 6_000 }, (_, index) => `${name}${index}: {}`).join(", ")}}\n`;
  const both = { "mcp.yaml": `include: [a.yaml]\n${keys("a")}`, "a.yaml": keys("b") };
  assert.equal(found(await load(both)), ["a.yaml:1:1 MW1022"]);
  const many = Array.from({ length: 1_001 }, (_, index) => [`t/${index}.yaml`, ""]);
  const files = await load({ "mcp.yaml": "include: [t/*.yaml]\n", ...Object.fromEntries(many) });
  assert.equal(found(files), ["mcp.yaml:1:10 MW1032"]);
});

test("patterns lead to files below the folder only, and * stays within a name", () => {
  for (const pattern of ["a.yaml", "./a/*.yaml", "*/*-*.y*ml", "ä b/c.yaml"])
    assert.is(problemOfPattern(pattern), undefined, pattern);
  for (const pattern of ["", "/a", "C:/a", "~/a", "../a", "a/../b", "a//b", "a/", "**/a", "a\\b"])
    assert.type(problemOfPattern(pattern), "string", pattern);
  for (const path of ["a-b.yaml", "a-.yaml", "a-x-y.yaml"])
    assert.ok(describesPath("a*-*.yaml", path), path);
  for (const path of ["a.yaml", "a-b.yml", "x/a-b.yaml", "-a.yaml"])
    assert.not.ok(describesPath("a*-*.yaml", path), path);
  assert.not.ok(describesPath("*.yaml", ".a.yaml"));
  assert.ok(describesPath(".*.yaml", ".a.yaml"));
  assert.not.ok(describesPath("ab*ba", "aba"));
  assert.not.ok(describesPath(`${"*a".repeat(500)}b`, "a".repeat(255)));
});

test("on the disk, links inside the folder are followed, and those out of it are reported", async () => {
  const root = await mkdtemp(join(tmpdir(), "mcpwright-include-"));
  const manifest = join(root, "server/mcp.yaml");
  await mkdir(join(root, "server/tools/folder.yaml"), { recursive: true });
  await writeFile(join(root, "outside.yaml"), "tools: []\n");
  await writeFile(join(root, "server/tools/a.yaml"), "tools: []\n");
  await symlink("a.yaml", join(root, "server/tools/b.yaml"));
  await symlink("../../outside.yaml", join(root, "server/tools/out.yaml"));
  await symlink("../..", join(root, "server/tools/up"));
  const paths = ["tools/a.yaml", "tools/b.yaml", "tools/out.yaml"];
  assert.equal(findParts(manifest, "tools/*.yaml").files, paths);
  assert.equal(findParts(manifest, "*").files, []);
  for (const pattern of ["tools/up/*", "tools/*/outside.yaml", "tools/up/outside.yaml"])
    assert.equal(findParts(manifest, pattern).files, [], pattern);
  const parts = partsOnDisk(manifest, "server/mcp.yaml", (path, shown) => ({
    bytes: Buffer.from(`${dirname(path).endsWith("tools")} ${shown}`),
    diagnostics: [],
  }));
  const read = async (path: string): Promise<string> => {
    const { bytes, diagnostics } = await parts.read(path);
    return diagnostics.map(({ file, code }) => `${file} ${code}`).join() || String(bytes);
  };
  assert.is(await read("tools/b.yaml"), "true server/tools/b.yaml");
  assert.is(await read("tools/out.yaml"), "server/tools/out.yaml MW1031");
  assert.is(await read("tools/up/outside.yaml"), "server/tools/up/outside.yaml MW1031");
  await rm(root, { recursive: true });
});

test.run();
