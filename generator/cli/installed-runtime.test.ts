import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runtimeVersion } from "../5-emit/project/runtime-package.js";
import { mcpwright } from "../testing/harness/projects/generated-project.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

/** What `check` says of each way in which an owner may say where the runtime comes from. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-owners-runtime-"));
test.after(() => rm(root, { recursive: true, force: true }));

const NEEDED = runtimeVersion();
const OLDER = NEEDED.replace(/h\w+$/, "h0000000a");
const PUBLISHED = NEEDED.replace(/-.*/, "");

/** Generated once, and copied for each specifier. */
const original = join(root, "original");
await mkdir(original);
await writeFile(join(original, "mcp.yaml"), "name: demo\nversion: 1.0.0\n");
await mcpwright(original, "generate");

/** A project in a workspace, whose package.json has this specifier. */
async function project(specifier: string): Promise<string> {
  const folder = join(await mkdtemp(join(root, "workspace-")), "server");
  await cp(original, folder, { recursive: true });
  const file = join(folder, "package.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/file:vendor[^"]*/, specifier));
  await mcpwright(folder, "generate");
  assert.match(await readFile(file, "utf8"), `"@mcpwright/runtime": "${specifier}"`);
  return folder;
}

async function writePackage(folder: string, version: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const about = { name: "@mcpwright/runtime", version };
  await writeFile(join(folder, "package.json"), JSON.stringify(about));
}

/** Puts a runtime where a package manager would: in the project, above it, or as a link to a folder. */
const PLACES: Readonly<Record<string, (folder: string, version: string) => Promise<void>>> = {
  "in the project": (folder, version) =>
    writePackage(join(folder, "node_modules/@mcpwright/runtime"), version),
  "above it": (folder, version) =>
    writePackage(join(folder, "../node_modules/@mcpwright/runtime"), version),
  "as a link": async (folder, version) => {
    await writePackage(join(folder, "../elsewhere"), version);
    const link = join(folder, "node_modules/@mcpwright/runtime");
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(folder, "../elsewhere"), link, "junction");
  },
};

async function outputOfCheck(folder: string): Promise<string> {
  const { status, out, err } = await mcpwright(folder, "check");
  assert.equal([status, out], [0, ""], err);
  return err;
}

/** Removes whatever {@link PLACES} have put somewhere. */
async function removeRuntimes(folder: string): Promise<void> {
  for (const place of ["node_modules", "../node_modules", "../elsewhere"])
    await rm(join(folder, place), { recursive: true, force: true });
}

/** Specifiers that do not say a version: in short one of each kind. */
const SILENT = [
  ...["workspace:*", "catalog:mcp", "link:../runtime", "file:../runtime.tgz"],
  ...shortOrLong<readonly string[]>(
    [],
    [
      ...["workspace:^", "workspace:~", "catalog:"],
      ...["file:../runtime", "portal:../runtime", "../runtime"],
    ],
  ),
];

for (const specifier of SILENT) {
  test(`check judges ${specifier} by the runtime that is installed`, async () => {
    const folder = await project(specifier);
    assert.match(
      await outputOfCheck(folder),
      /MW4017 .*no runtime is in node_modules/,
      "nothing is installed",
    );
    for (const [place, put] of Object.entries(PLACES)) {
      for (const [version, fits] of [
        [OLDER, false],
        ["0.0.9", false],
        [NEEDED, true],
        [PUBLISHED, true],
      ] as const) {
        await removeRuntimes(folder);
        await put(folder, version);
        const wanted = `${specifier} gives version ${version}, which is in node_modules`;
        const text = await outputOfCheck(folder);
        assert.is(text.includes(wanted), !fits, `${place}, ${version}: ${text}`);
        if (fits) assert.is(text, "", place);
      }
    }
  });
}

test("a folder that a specifier names is judged before anything is installed", async () => {
  for (const specifier of [
    "link:../runtime",
    "file:../runtime",
    "portal:../runtime/",
    "../runtime",
  ]) {
    const folder = await project(specifier);
    assert.match(await outputOfCheck(folder), "no runtime is in node_modules or ../runtime,");
    await writePackage(join(folder, "../runtime"), OLDER);
    assert.match(await outputOfCheck(folder), `gives version ${OLDER}, which is in ../runtime`);
    await writePackage(join(folder, "../runtime"), NEEDED);
    assert.is(await outputOfCheck(folder), "");
  }
});

test("a specifier with a version is judged by it, and one that may give any version also by what is installed", async () => {
  for (const fitting of [
    PUBLISHED,
    `^${PUBLISHED}`,
    `~${PUBLISHED}`,
    `npm:fork@^${PUBLISHED}`,
    NEEDED,
  ])
    assert.is(await outputOfCheck(await project(fitting)), "", fitting);
  for (const other of ["^0.0.9", "0.0.9", "~0.0.9", "workspace:^9.0.0", "npm:fork@0.0.9"])
    assert.match(
      await outputOfCheck(await project(other)),
      "gives another runtime than version",
      other,
    );
  for (const any of ["*", "latest", "github:owner/runtime", "git+https://host.example/r.git#v1"]) {
    const folder = await project(any);
    assert.match(await outputOfCheck(folder), "may give any runtime", any);
    await PLACES["in the project"]!(folder, OLDER);
    assert.match(await outputOfCheck(folder), `${any} gives version ${OLDER}`, any);
  }
});

test("a manifest can switch the check of the runtime off", async () => {
  const folder = await project("workspace:*");
  const manifest = "name: demo\nversion: 1.0.0\ndiagnostics: { MW4017: off }\n";
  await writeFile(join(folder, "mcp.yaml"), manifest);
  await mcpwright(folder, "generate");
  assert.is(await outputOfCheck(folder), "");
});

test.run();
