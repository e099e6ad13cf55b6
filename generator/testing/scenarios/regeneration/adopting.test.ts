import { readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { npm, runProgram } from "../../harness/runner/programs.js";
import {
  edit,
  read,
  snapshot,
  spacedManifest,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";

/** Generating into a repository that someone has already, and after the lock was lost. */

const folders = new TestFolders();
test.after(folders.remove);

/** A repository of someone's own, in their style. */
const OWN: Readonly<Record<string, string>> = {
  "AGENTS.md": "# For agents\n",
  "README.md": "# My app\r\n\r\nMine.",
  ".gitignore": "mine/\n",
  ".env.example": "MINE=1",
  "package.json": `{
\t"name": "my-app",
\t"version": "7.1.0",
\t"private": true,
\t"scripts": { "build": "esbuild src/app.ts", "mine": "true" },
\t"dependencies": { "zebra": "^1.0.0" },
\t"files": ["lib"]
}
`,
  "tsconfig.json": `{
  // how we like it
  "compilerOptions": {
    "target": "ES2020", /* old */
    "strict": false,
    "paths": { "@/*": ["./src/*"] },
  },
}
`,
  "src/app.ts": "export const app = 1;\n",
  "src/tools/hammer.ts": "export const hammer = 'a tool of another kind'\n",
  "src/tools/first.ts":
    "#!/usr/bin/env node\r\nexport function first() {} // written before its item\r\n",
  "src/context.ts": "export const context = 'mine';\n",
  "test/tools/first.test.ts": "// my test\n",
  "test/app.test.ts": "// mine\n",
  "mcp.yaml": spacedManifest(["first", "second"]),
};

async function repository(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await folders.make("adopting");
  for (const [path, text] of Object.entries({ ...OWN, ...more })) await write(folder, path, text);
  return folder;
}

const MERGED = ["package.json", "tsconfig.json", ".env.example"];

/** Every file of theirs that is not merged is there, byte for byte. */
async function assertKept(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (!MERGED.includes(path)) assert.is(await read(folder, path), text, path);
  }
}

test("generate turns a repository with its own files into a project and keeps those files", async () => {
  const folder = await repository();
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  const found = [
    ...err.matchAll(/^(\S+?):\d+:\d+ +error (MW\d+) {2}(\S+) was (?:changed here|not added)/gm),
  ];
  const conflicts = found.map(([, file, code, key]) => `${file} ${code} ${key}`);
  const wanted = ["MW4007 name", "MW4007 version", "MW4018 type", "MW4018 scripts.prepack"];
  for (const key of wanted) {
    assert.ok(conflicts.includes(`package.json ${key}`), `${key} among\n${err}`);
  }
  assert.is(conflicts.length, err.match(/ error /g)?.length, "nothing but keys that both have");
  await assertKept(folder, OWN);

  const manifest = await read(folder, "package.json");
  const value = JSON.parse(manifest) as Record<string, Record<string, string>>;
  assert.match(manifest, /^\{\n\t"name": "my-app",\n/);
  assert.is(value["version"], "7.1.0");
  assert.equal(
    [value["scripts"]?.["build"], value["scripts"]?.["mine"]],
    ["esbuild src/app.ts", "true"],
  );
  assert.is(value["dependencies"]?.["zebra"], "^1.0.0");
  assert.type(value["devDependencies"]?.["@mcpwright/runtime"], "string");
  const compiler = await read(folder, "tsconfig.json");
  for (const text of ["// how we like it\n", '"ES2020", /* old */', '"strict": false', '"@/*"']) {
    assert.ok(compiler.includes(text), text);
  }
  assert.match(await read(folder, ".env.example"), /^MINE=1/);

  for (const path of ["src/tools/second.ts", "src/main.ts", "SERVER.md"]) await read(folder, path);
  const after = await snapshot(folder);
  const again = await mcpwright(folder, "generate", "--quiet");
  assert.equal([again.status, again.out], [0, ""]);
  // Their version stays, and is not the manifest's.
  assert.equal(again.err.match(/MW\d+/g), ["MW4014"], again.err);
  assert.equal(await snapshot(folder), after);
  assert.is((await mcpwright(folder, "check")).status, 0);
});

interface Application {
  readonly type?: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** Applications with scripts and modules of their own, and what of the server they must decide on. */
const APPLICATIONS: readonly (readonly [string, Application, readonly string[]])[] = [
  [
    "ES modules",
    {
      type: "module",
      main: "lib/index.js",
      scripts: { start: "node lib/index.js", build: "true" },
    },
    ["scripts.build", "scripts.prepack", "scripts.start"],
  ],
  [
    "CommonJS",
    { type: "commonjs", main: "lib/index.js", scripts: { start: "node lib/index.js" } },
    ["scripts.start", "type"],
  ],
  [
    "modules of no stated type",
    { main: "lib/index.js", scripts: { start: "node lib/index.js", test: "node lib/index.js" } },
    ["scripts.start", "scripts.test", "type"],
  ],
  [
    "a command, exports and engines",
    {
      type: "module",
      exports: "./lib/index.js",
      bin: "lib/index.js",
      engines: { node: ">=18" },
      files: ["lib"],
      scripts: { start: "node lib/index.js", prepare: "true", inspect: "true", prepack: "true" },
    },
    ["bin", "engines.node", "files", "scripts.inspect", "scripts.prepack", "scripts.start"],
  ],
  [
    "workspaces",
    {
      private: true,
      type: "module",
      workspaces: ["packages/*"],
      scripts: { start: "node lib/index.js" },
    },
    ["scripts.start"],
  ],
];

/** The folders of the applications that have been generated into. */
const applications: string[] = [];

for (const [name, manifest, needed] of APPLICATIONS) {
  test(`an application with ${name} starts as before, and what must change is reported`, async () => {
    const folder = await folders.make("application");
    const own = { name: "my-app", version: "3.1.4", ...manifest };
    const isCommon = manifest.type !== "module";
    const line = isCommon
      ? 'console.log(require("./text.js").text);\n'
      : 'import { text } from "./text.js";\nconsole.log(text);\n';
    await write(folder, "package.json", `${JSON.stringify(own, null, 2)}\n`);
    await write(folder, "lib/index.js", line);
    const text = `${isCommon ? "exports." : "export const "}text = "the app runs";\n`;
    await write(folder, "lib/text.js", text);
    await write(
      folder,
      "mcp.yaml",
      spacedManifest(["first"])
        .replace(/^name: .*/m, "name: my-app")
        .replace(/^version: .*/m, "version: package.json"),
    );
    const { status, out } = await mcpwright(folder, "generate");
    assert.is(status, 3, out);
    const [, told = ""] = /^! package\.json {2}\((.*)\)$/m.exec(out) ?? [];
    const keys = told.split(/; |, /).map((part) => part.replace(/^.*: /, ""));
    assert.equal(keys.sort(), [...needed].sort(), out);

    const now = JSON.parse(await read(folder, "package.json")) as Application;
    const { start = "" } = now.scripts;
    assert.is(start, own.scripts["start"]);
    assert.match(await runProgram(folder, "sh", ["-c", start]), "the app runs");
    const added = Object.keys(now.scripts).filter((script) => !(script in own.scripts));
    for (const hook of added.filter((script) => /^(pre|post)/.test(script))) {
      assert.not.ok(hook.replace(/^(pre|post)/, "") in own.scripts, hook);
    }
    const again = await mcpwright(folder, "generate");
    assert.equal([again.status, again.err], [0, ""], "it is told once");
    applications.push(folder);
  });
}

test("these applications pack as before", async () => {
  assert.is(applications.length, APPLICATIONS.length);
  const options = ["--dry-run", "--json", "--silent", "--ignore-scripts"];
  const said = await npm(await folders.make("packing"), "pack", ...options, ...applications);
  const packed = JSON.parse(said) as { readonly files: readonly { readonly path: string }[] }[];
  assert.is(packed.length, applications.length);
  for (const { files } of packed) {
    const paths = files.map(({ path }) => path);
    for (const path of ["lib/index.js", "lib/text.js"]) assert.ok(paths.includes(path), said);
  }
});

test("a package.json with dependencies only gets all other generated keys", async () => {
  const folder = await folders.make("bare");
  await write(folder, "package.json", '{ "devDependencies": { "mcpwright": "0.1.0" } }\n');
  await write(folder, "mcp.yaml", spacedManifest(["first"]));
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  const { type, files, devDependencies, scripts } = JSON.parse(
    await read(folder, "package.json"),
  ) as Record<string, Record<string, string>>;
  assert.is(type, "module");
  assert.ok(files !== undefined && scripts?.["prepack"] !== undefined);
  assert.is(devDependencies?.["mcpwright"], "0.1.0");
});

test("a handler that is older than its item is treated like any other: moved to src/removed, and restored with its item", async () => {
  const folder = await repository();
  await mcpwright(folder, "generate");
  const mine = OWN["src/tools/first.ts"] ?? "";
  await write(folder, "mcp.yaml", spacedManifest(["second"]));
  await mcpwright(folder, "generate");
  assert.is(await read(folder, "src/removed/tools/first.ts"), mine);
  await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
  await mcpwright(folder, "generate");
  await assertKept(folder, { ...OWN, "mcp.yaml": spacedManifest(["first", "second"]) });
});

test("if a file has the path of a generated file, the run reports it and writes nothing; --adopt writes the other files", async () => {
  const taken = { "src/main.ts": "// my main\n", "SERVER.md": "# My server\n" };
  const folder = await repository(taken);
  const before = await snapshot(folder);
  const refused = await mcpwright(folder, "generate");
  assert.is(refused.status, 3);
  assert.match(refused.err, /MW4003 .*SERVER\.md, src\/main\.ts/);
  assert.equal(await snapshot(folder), before);

  for (const options of [["--adopt"], [], []]) {
    const { status, err } = await mcpwright(folder, "generate", ...options);
    assert.is(status, 3);
    for (const path of Object.keys(taken)) assert.match(err, `${path}:1:1  error MW4001`);
    await assertKept(folder, { ...OWN, ...taken });
  }
  await read(folder, "src/generated/tools/first.ts");
  assert.is((await mcpwright(folder, "generate", "--overwrite-edited")).status, 0);
  for (const [path, text] of Object.entries(taken)) {
    assert.is(await read(folder, `${path}.saved`), text);
    assert.is.not(await read(folder, path), text);
  }
});

test("if the project has a lock, a file at a generated path does not prevent the other files from being written", async () => {
  const folder = await repository();
  await mcpwright(folder, "generate");
  await write(folder, "src/generated/resources/r.ts", "// mine\n");
  const resource = "resources:\n  - { uri: 'a://b', name: r, description: x, text: y }\n";
  await write(folder, "mcp.yaml", spacedManifest(["first", "third"]) + resource);
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(err, "src/generated/resources/r.ts:1:1  error MW4002");
  assert.is(await read(folder, "src/generated/resources/r.ts"), "// mine\n");
  await read(folder, "src/tools/third.ts");
});

test("a README and a .gitignore that are symbolic links stay links, and their targets are not written", async () => {
  const folder = await repository();
  const docs = await folders.make("docs");
  await write(docs, "README.md", "# Of the whole repository\n");
  await rm(join(folder, "README.md"));
  await rm(join(folder, ".gitignore"));
  await symlink(join(docs, "README.md"), join(folder, "README.md"));
  await symlink("nowhere", join(folder, ".gitignore"));
  await mcpwright(folder, "generate");
  assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
  assert.is(await readlink(join(folder, "README.md")), join(docs, "README.md"));
  assert.is(await readlink(join(folder, ".gitignore")), "nowhere");
  assert.equal(await snapshot(docs), { "README.md": "# Of the whole repository\n" });
  await read(folder, "src/tools/second.ts");
});

/** A generated project in which every file that can be is a person's. */
async function livedIn(): Promise<string> {
  const folder = await folders.make("lived-in");
  await write(folder, "mcp.yaml", spacedManifest(["first", "gone", "second"]));
  await mcpwright(folder, "generate");
  for (const path of ["src/tools/first.ts", "src/tools/gone.ts", "test/tools/first.test.ts"]) {
    await edit(folder, path, (text) => `${text.replaceAll("\n", "\r\n")}// mine`);
  }
  for (const path of ["src/context.ts", "README.md", ".gitignore", "src/main.ts"]) {
    await edit(folder, path, (text) => `${text}// mine\n`);
  }
  await edit(folder, "package.json", (text) => text.replace("{", '{ "mine": [ 1,2 ],'));
  await write(folder, "mcp.yaml", spacedManifest(["first", "second"]));
  await mcpwright(folder, "generate");
  await read(folder, "src/removed/tools/gone.ts");
  return folder;
}

const LOCK = "mcpwright.lock.json";

/** What can become of a lock. */
const DAMAGES: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  lost: (folder) => rm(join(folder, LOCK)),
  empty: (folder) => write(folder, LOCK, ""),
  "cut off": (folder) => edit(folder, LOCK, (text) => text.slice(0, text.length / 2)),
  "of an unknown form": (folder) => write(folder, LOCK, '{"lockVersion":1,"files":[]}'),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`F14: a lock that is ${name} is rebuilt by --adopt, and every file that differs counts as edited by a person`, async () => {
    const folder = await livedIn();
    const before = await snapshot(folder);
    await damage(folder);
    const damaged = await snapshot(folder);
    const refused = await mcpwright(folder, "generate");
    assert.is(refused.status, 3);
    assert.equal(await snapshot(folder), damaged, "nothing is written");

    const adopted = await mcpwright(folder, "generate", "--adopt");
    assert.is(adopted.status, 3);
    assert.match(adopted.err, "src/main.ts:1:1  error MW4001");
    const after = await snapshot(folder);
    for (const [path, text] of Object.entries(before)) {
      if (path !== LOCK) assert.is(after[path], text, path);
    }
    const added = Object.keys(after).filter((path) => before[path] === undefined);
    assert.ok(
      added.every((path) => path === `${LOCK}.saved`),
      added.join(),
    );

    await edit(folder, "src/main.ts", (text) => text.replace("// mine\n", ""));
    assert.is((await mcpwright(folder, "generate")).status, 0);
    assert.is((await mcpwright(folder, "check")).status, 0);
    const lock = JSON.parse(await read(folder, LOCK)) as { files: object };
    const former = JSON.parse(Buffer.from(before[LOCK] ?? "", "latin1").toString()) as {
      files: object;
    };
    assert.equal(lock.files, former.files, "the lock is what it was");
    assert.ok((await readdir(join(folder, "src/removed/tools"))).includes("gone.ts"));
  });
}

test("a project with conflict markers in its files and no lock is adopted without writing further markers", async () => {
  const folder = await livedIn();
  await rm(join(folder, LOCK));
  const marked = "<<<<<<< a\n// 1\n=======\n// 2\n>>>>>>> b\n";
  await write(folder, "src/tools/second.ts", marked);
  await mcpwright(folder, "generate", "--adopt");
  assert.is(await read(folder, "src/tools/second.ts"), marked);
});

test.run();
