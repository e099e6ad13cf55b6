import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { emit } from "../../../5-emit/emit.js";
import { exitStatus } from "../../../cli/exit-status.js";
import { mcpwrightVersion } from "../../../cli/version.js";
import { bundleFolder } from "../../../packaging/bundle.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { runtimeVersion } from "../../../5-emit/project/runtime-package.js";
import {
  CommandProcess,
  type CommandEnd,
  type CommandRun,
} from "../../harness/runner/command-run.js";
import { installQuietly, npm, runProgram } from "../../harness/runner/programs.js";
import { longTest, shortOrLong } from "../../harness/runner/test-length.js";
import { linkOwnPackages } from "../../harness/projects/own-packages.js";
import { installPacked } from "../../harness/projects/packed-package.js";

/** The package itself. How its command runs on a version of Node.js is told by `packed-command.test.ts`. */
const projectRoot = fileURLToPath(packageRoot);

const folder = await mkdtemp(join(tmpdir(), "mcpwright-package-"));
const commands = new CommandProcess();
test.after(async () => {
  await commands.end();
  await rm(folder, { recursive: true, force: true });
});

const packed = await installPacked(folder);

/** Those of the long form together have each kind of item, of body and of transport. */
const EXAMPLES = shortOrLong(
  ["field-guide", "members"],
  ["field-guide", "files", "members", "transports", "conformance", "shop"],
);

test("the package generates the same bytes as the modules from which it is bundled", async () => {
  const program = await realpath(join(folder, "node_modules/.bin/mcpwright"));
  const manifests = new Map<string, string>();
  for (const example of EXAMPLES) {
    await mkdir(join(folder, example));
    const manifest = await readFile(join(projectRoot, "examples", example, "mcp.yaml"), "utf8");
    await writeFile(join(folder, example, "mcp.yaml"), manifest);
    manifests.set(example, manifest);
  }
  await commands.runAll(
    EXAMPLES.map((name) => ({ program, folder: join(folder, name), words: ["generate"] })),
  );
  for (const [example, manifest] of manifests) {
    for (const { path, content } of await emit(checkedManifest(manifest).model)) {
      const written = await readFile(join(folder, example, path), "utf8");
      assert.is(written, content, `${example}: ${path}`);
    }
  }
});

test("the package contains the licences of everything bundled", async () => {
  const bundled = join(folder, "node_modules/mcpwright/dist/generator/bundle/LICENCES.txt");
  const text = await readFile(bundled, "utf8");
  for (const name of ["yaml", "ajv", "handlebars"])
    assert.match(text, new RegExp(`^${name} `, "m"));
});

test("the package holds no tests, fixtures or maps", async () => {
  const installed = await readdir(join(folder, "node_modules/mcpwright"), { recursive: true });
  const strangers = installed.filter((path) =>
    /\.test\.|\.map$|fixtures|testing\/|samples/.test(path),
  );
  assert.equal(
    strangers.filter((path) => !/^templates\/runtime\/(testing|suite)\//.test(path)),
    [],
  );
});

/** The paths of the files below a folder. */
async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

test("the package is complete and small", async () => {
  const { files, size, unpackedSize } = packed;
  const paths = files.map(({ path }) => path);
  assert.equal(
    paths
      .filter(
        (path) =>
          !/^(templates|schemas|dist\/generator\/bundle|generator\/(?:model|4-compare)\/catalogue)\//.test(
            path,
          ),
      )
      .sort(),
    [
      ...["CHANGELOG.md", "LICENSE", "README.md"],
      ...["dist/llms.txt", "dist/runtime.json", "dist/runtime.tgz"],
      ...["dist/skills/mcpwright/SKILL.md", "package.json"],
    ],
  );
  assert.ok(paths.includes("generator/model/catalogue/manifest.md"));
  assert.ok(paths.includes("generator/4-compare/catalogue/items.md"));
  assert.ok(!paths.some((path) => /^generator\/.*\.ts$/.test(path)));
  const bundled = paths.flatMap((path) => /^dist\/generator\/bundle\/(.+)/.exec(path)?.[1] ?? []);
  assert.equal(bundled.sort(), (await filesIn(bundleFolder)).sort());
  // The tokenizer's words are a megabyte of it. As a package that npm installs, they would be 28.
  // The runtime has its sources beside its modules, so that a part for sign-ins such as linked accounts takes 44 kB.
  // The compiler with the libraries that it needs is 2.8 MB.
  assert.ok(size < 3.5 * 2 ** 20, `the tarball has ${size} bytes`);
  assert.ok(unpackedSize < 7.6 * 2 ** 20, `unpacked, it has ${unpackedSize} bytes`);
});

test("CHANGELOG.md has an entry for the version", async () => {
  const changes = await readFile(join(projectRoot, "CHANGELOG.md"), "utf8");
  assert.match(changes, new RegExp(`^## ${mcpwrightVersion().replaceAll(".", "\\.")}(,|$)`, "m"));
});

/** Where the version before this one is unpacked, beside the packages that it needs. */
const before = join(folder, "version-before/package");

/** This package as a version before it: another number, and another runtime. @returns the path of its tarball */
async function packVersionBefore(): Promise<string> {
  await cp(join(folder, "node_modules/mcpwright"), before, { recursive: true });
  const description = join(before, "package.json");
  const text = await readFile(description, "utf8");
  await writeFile(description, text.replace(/"version": "[^"]+"/, '"version": "0.0.9"'));
  await packRuntimeBefore(join(before, "dist"));
  const tarball = join(folder, "mcpwright-0.0.9.tgz");
  // As npm packs it; npm itself takes a second more for it.
  await runProgram(dirname(before), "tar", ["-czf", tarball, "package"]);
  return tarball;
}

const RUNTIME_BEFORE = "0.0.9-h0000000";

/** Replaces the packed runtime by one of another version, without its modules: no server is run with it. */
async function packRuntimeBefore(dist: string): Promise<void> {
  const [unpacked, tarball] = [join(folder, "runtime-before"), join(dist, "runtime.tgz")];
  await mkdir(unpacked);
  await runProgram(unpacked, "tar", ["-xzf", tarball, "package/package.json"]);
  const description = join(unpacked, "package/package.json");
  const text = await readFile(description, "utf8");
  await writeFile(
    description,
    text.replace(/"version": "[^"]+"/, `"version": "${RUNTIME_BEFORE}"`),
  );
  await runProgram(unpacked, "tar", ["-czf", tarball, "package"]);
  await writeFile(join(dist, "runtime.json"), JSON.stringify({ version: RUNTIME_BEFORE }));
}

/** Runs command lines one after the other, whatever their status. */
async function runEach(lines: readonly CommandRun[]): Promise<readonly CommandEnd[]> {
  const ends: CommandEnd[] = [];
  for (const line of lines) ends.push(await commands.run(line));
  return ends;
}

/** Installs what an updated project needs, and runs its tests, as `starter-project.test.ts` does those of a new project. */
async function testUpdated(project: string): Promise<void> {
  await installQuietly(project);
  await npm(project, "test");
}

interface PackageFile {
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function packageFileOf(project: string): Promise<PackageFile> {
  return JSON.parse(await readFile(join(project, "package.json"), "utf8")) as PackageFile;
}

// In short, the test below stands for it, where two builds of one version update the same project.
longTest("a project that pins the previous version is updated to this one", async () => {
  const project = join(folder, "pinned");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "private": true }');
  const linesOf = async (...lines: readonly string[]): Promise<CommandRun[]> => {
    const program = await realpath(join(project, "node_modules/.bin/mcpwright"));
    return lines.map((line) => ({ program, folder: project, words: line.split(" ") }));
  };
  const installedVersion = (): Promise<string> =>
    runProgram(project, join(project, "node_modules/.bin/mcpwright"), ["--version"]);
  await installQuietly(project, await packVersionBefore(), "--save-dev");
  assert.match(await installedVersion(), /^0\.0\.9$/m);
  const init = "init . --only-manifest --template minimal --name pinned";
  await commands.runAll(await linesOf(init, "generate"));
  const vendored = async (): Promise<string[]> => readdir(join(project, "vendor"));
  assert.equal(await vendored(), [`mcpwright-runtime-${RUNTIME_BEFORE}.tgz`]);
  const handler = join(project, "src/tools/echo.ts");
  const written = `import type { ToolHandler } from "../generated/index.js";

export const echo: ToolHandler<"echo"> = ({ text }) => text;
`;
  await writeFile(handler, written);

  const version = mcpwrightVersion();
  await linkOwnPackages(project, Object.keys((await packageFileOf(project)).devDependencies));
  await installQuietly(project, join(folder, `mcpwright-${version}.tgz`), "--save-dev");
  assert.match(await installedVersion(), new RegExp(`^${version.replaceAll(".", "\\.")}$`, "m"));
  const [plan, generated, checked] = await runEach(await linesOf("plan", "generate", "check"));
  assert.is(plan?.status, exitStatus.pending);
  assert.equal(plan?.output.match(/^[-+~!] .*/gm)?.sort(), [
    `+ vendor/mcpwright-runtime-${runtimeVersion()}.tgz`,
    `- vendor/mcpwright-runtime-${RUNTIME_BEFORE}.tgz  (not needed any more)`,
    "~ mcpwright.lock.json",
    "~ package.json",
  ]);
  assert.is(generated?.status, 0, generated?.output);
  assert.match(generated?.output ?? "", "Now run `npm install`");
  assert.is(checked?.status, 0, checked?.output);
  assert.equal(await vendored(), [`mcpwright-runtime-${runtimeVersion()}.tgz`]);
  assert.is(await readFile(handler, "utf8"), written);
  const { devDependencies } = await packageFileOf(project);
  assert.is(devDependencies["mcpwright"], `file:../mcpwright-${version}.tgz`);
  assert.is(
    devDependencies["@mcpwright/runtime"],
    `file:vendor/mcpwright-runtime-${runtimeVersion()}.tgz`,
  );
  await testUpdated(project);

  const older = join(before, "dist/generator/bundle/main.js");
  const { output } = await commands.run({ program: older, folder: project, words: ["generate"] });
  const refused = `mcpwright ${version} generated this project, and this is mcpwright 0.0.9; nothing was written`;
  assert.match(output, refused);
  assert.equal(await vendored(), [`mcpwright-runtime-${runtimeVersion()}.tgz`]);
});

/** This package as another build of the same version, with another runtime. @returns its command */
async function anotherBuild(hash: string, sourceDate: string): Promise<string> {
  // Beside the installed package, whose dependencies it finds.
  const build = join(folder, "node_modules", `mcpwright-${hash}`);
  await cp(join(folder, "node_modules/mcpwright"), build, { recursive: true });
  const version = runtimeVersion().replace(/h\w+$/, hash);
  await writeFile(join(build, "dist/runtime.json"), JSON.stringify({ version, sourceDate }));
  return join(build, "dist/generator/bundle/main.js");
}

test("an older build of the same version refuses the project of a newer one, in words", async () => {
  const project = join(folder, "built-twice");
  await mkdir(project);
  const older = await anotherBuild("h0000000a", "2026-01-01T00:00:00Z");
  const newer = await anotherBuild("h0000000b", "2026-01-02T00:00:00Z");
  const line = (program: string, ...words: readonly string[]): CommandRun => {
    return { program, folder: project, words };
  };
  await commands.runAll([
    line(older, "init", ".", "--only-manifest", "--template", "minimal", "--name", "twice"),
    ...[line(older, "generate"), line(newer, "generate")],
  ]);
  const vendored = [`mcpwright-runtime-${mcpwrightVersion()}-h0000000b.tgz`];
  assert.equal(await readdir(join(project, "vendor")), vendored);
  const refused = shortOrLong(["generate"], ["generate", "check", "plan"]);
  const ends = await runEach(refused.map((command) => line(older, command)));
  assert.is(ends.length, refused.length);
  for (const [index, { status, output }] of ends.entries()) {
    const stated = /error MW4013 .*-h0000000b of 2026-01-02.*-h0000000a of 2026-01-01/;
    assert.match(output, stated, refused[index]);
    assert.is.not(status, 0, refused[index]);
  }
  assert.equal(await readdir(join(project, "vendor")), vendored);
  await commands.runAll([line(newer, "check"), line(older, "generate", "--adopt")]);
  assert.match(String(await readdir(join(project, "vendor"))), "h0000000a");
});

test("no written file and no output assumes that mcpwright is published", async () => {
  const readme = await readFile(join(folder, "built-twice/README.md"), "utf8");
  assert.match(readme, "not on a registry yet");
  assert.match(readme, "`mcpwright generate`");
  const made = await readdir(join(folder, "built-twice"), { recursive: true, withFileTypes: true });
  for (const file of made) {
    const path = join(file.parentPath, file.name);
    if (!file.isFile() || path.includes("node_modules")) continue;
    assert.not.match(await readFile(path, "utf8"), /npx (-y |--yes )?mcpwright [a-z]/, path);
  }
});

test.run();
