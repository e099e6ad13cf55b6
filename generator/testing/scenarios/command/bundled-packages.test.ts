import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm } from "../../harness/runner/programs.js";
import { connectProgram } from "../../harness/clients/project-clients.js";

/** `npm run bundle` where handlers use packages of their own, native ones among them. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-bundled-packages-"));
test.after(() => rm(root, { recursive: true, force: true }));

/** As better-sqlite3 is: an addon beside a module that finds it by its own place, used by another package. */
const PACKAGES = {
  "native-store/package.json": '{ "name": "native-store", "version": "1.0.0" }',
  "native-store/index.js": `const { readFileSync } = require("node:fs");
const { join } = require("node:path");
// Stands for the system's loader: the addon of this test is a text.
require.extensions[".node"] = (module, file) => { module.exports = readFileSync(file, "utf8"); };
const load = (name) => require(join(__dirname, name));
exports.words = () => [require("./build/addon.node"), load("words.js")];
`,
  "native-store/words.js": 'module.exports = "dynamic";\n',
  "native-store/build/addon.node": "addon",
  "native-store/LICENSE": "Licence of the native store.\n",
  "wrapper/package.json": '{ "name": "wrapper", "version": "1.0.0" }',
  "wrapper/index.js": 'exports.wrapped = () => require("native-store").words();\n',
  "plain/package.json": '{ "name": "plain", "version": "1.0.0" }',
  "plain/LICENSE.md": "/* Licence of the plain package, \u201cas is\u201d. */\n",
  "plain/index.js": 'exports.plain = () => "inside the bundle";\n',
};

const HANDLER = `import { plain } from "plain";
import { wrapped } from "wrapper";
import type { ToolHandler } from "../generated/index.ts";

export const greet: ToolHandler<"greet"> = () => [...wrapped(), plain()].join(", ");
`;

/** A project that is installed, with packages that its handler uses. */
async function project(): Promise<string> {
  const folder = join(root, "project");
  await mcpwright(root, "init", "project", "--only-manifest", "--name", "demo");
  const manifest = [
    "name: demo",
    "version: 1.0.0",
    "author: Ada",
    "package: { mcpb: true }",
    "tools: [{ name: greet, description: Greets. }]",
    "",
  ].join("\n");
  await writeFile(join(folder, "mcp.yaml"), manifest);
  await mcpwright(folder, "generate");
  await writeFile(join(folder, "src/tools/greet.ts"), HANDLER);
  await installShared(folder);
  const modules = join(folder, "node_modules");
  const shared = await realpath(modules);
  await rm(modules);
  await mkdir(modules);
  for (const entry of await readdir(shared))
    await symlink(join(shared, entry), join(modules, entry));
  for (const [path, text] of Object.entries(PACKAGES)) {
    await mkdir(dirname(join(modules, path)), { recursive: true });
    await writeFile(join(modules, path), text);
  }
  return folder;
}

test("packages that find files relative to themselves are not bundled, and the build says so", async () => {
  const folder = await project();
  const output = await npm(folder, "exec", "mcpwright-runtime", "bundle");
  assert.match(output, /not in dist\/bundle\.mjs.*: wrapper\n/);
  assert.match(output, /"dependencies" in package\.json must have these, .*: wrapper\n/);
  const program = join(folder, "dist/bundle.mjs");
  assert.match(await readFile(program, "utf8"), "inside the bundle");
  const client = await connectProgram(program, folder, "modern");
  try {
    const { content } = await client.callTool({ name: "greet", arguments: {} });
    assert.equal(content, [{ type: "text", text: "addon, dynamic, inside the bundle" }]);
  } finally {
    await client.close();
  }
  // What desktop clients unpack has no packages beside it.
  const refusal = await npm(folder, "exec", "mcpwright-runtime", "mcpb").catch(String);
  assert.match(refusal, /cannot be part of a bundle, .*: wrapper\n/);
});

test("a bundle ends with the licences of the packages in it, and of no others", async () => {
  const program = await readFile(join(root, "project/dist/bundle.mjs"), "utf8");
  const licences = program.slice(program.lastIndexOf("/*! The licences of the packages"));
  const titles = licences.match(/^\S+ \d+\.\d+\.\d+\S*$/gm) ?? [];
  assert.equal(
    titles.map((title) => title.split(" ")[0]),
    [
      ...["@mcpwright/runtime", "@modelcontextprotocol/core", "@modelcontextprotocol/server"],
      ...["plain", "zod"],
    ],
  );
  assert.match(licences, '\n/* Licence of the plain package, "as is". * /\n');
  assert.match(licences, /^@mcpwright\/runtime \S+\n\nMIT License\n/m);
  assert.ok(licences.endsWith("\n*/\n") && licences.indexOf("*/") === licences.length - 3);
});

/** A handler that imports built-in modules in all forms, `dns` among them, which the runtime of this server does not import. */
const BUILTINS_HANDLER = `import dns, { ADDRCONFIG } from "node:dns";
import * as url from "node:url";
import { posix as paths, sep } from "node:path";
import type { ToolHandler } from "../generated/index.ts";

export const greet: ToolHandler<"greet"> = () =>
  [dns.ADDRCONFIG === ADDRCONFIG, Object.hasOwn(url, "pathToFileURL"), paths.basename("a/b"), sep].join(" ");
`;

/** Writes the names of the built-in modules whose members something has listed, at the end of the process. */
const LISTED = `const { writeFileSync } = require("node:fs");
const { getBuiltinModule } = process;
const listed = new Set();
process.getBuiltinModule = (name) =>
  new Proxy(getBuiltinModule(name), {
    ownKeys: (module) => (listed.add(name), Reflect.ownKeys(module)),
  });
process.on("exit", () => writeFileSync("listed.json", JSON.stringify([...listed])));
`;

test("a bundle reads only those members of built-in modules that it uses, in all forms of import", async () => {
  const folder = join(root, "project");
  await writeFile(join(folder, "src/tools/greet.ts"), BUILTINS_HANDLER);
  await writeFile(join(folder, "listed.cjs"), LISTED);
  await npm(folder, "exec", "mcpwright-runtime", "bundle");
  const program = join(folder, "dist/bundle.mjs");
  const options = { NODE_OPTIONS: `--require ${join(folder, "listed.cjs")}` };
  const client = await connectProgram(program, folder, "modern", options);
  try {
    const { content } = await client.callTool({ name: "greet", arguments: {} });
    assert.equal(content, [{ type: "text", text: `true true b ${sep}` }]);
  } finally {
    await client.close();
  }
  assert.equal(JSON.parse(await readFile(join(folder, "listed.json"), "utf8")), []);
});

test("a bundle of a server with tools alone has no code for resources, prompts and completion", async () => {
  const bundle = await readFile(join(root, "project/dist/bundle.mjs"), "utf8");
  const hasModule = (name: string): boolean =>
    bundle.includes(`@mcpwright/runtime/dist/${name}.js"`);
  assert.ok(hasModule("joined/fast-path"));
  const others = ["resources/resources", "prompts/prompts", "completion/completion"];
  assert.equal(others.filter(hasModule), []);
});

test.run();
