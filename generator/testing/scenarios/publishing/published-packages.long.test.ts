import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { assertLicences } from "../../harness/oracles/bundle-licences.js";
import { runProgram } from "../../harness/runner/programs.js";
import {
  packageManager,
  triedManagers,
  type PackageManager,
} from "../../harness/projects/package-managers.js";
import {
  otherPublished,
  pack,
  weather,
  type Packed,
  type PublishedProject,
} from "../../harness/projects/published-projects.js";
import { testUnless } from "../../harness/runner/skipped-test.js";

/** What `npm pack` makes of projects, installed in empty folders and started as the package's command. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-published-"));
test.after(() => rm(root, { recursive: true, force: true }));

const packing = new Map<string, Promise<Packed>>();

/** Packs a project once. */
function packed(project: PublishedProject): Promise<Packed> {
  const made = packing.get(project.name) ?? pack(root, project);
  packing.set(project.name, made);
  return made;
}

/** A new folder in which a package manager has installed the tarball. */
async function installed(manager: PackageManager, name: string, tarball: string): Promise<string> {
  const folder = await mkdtemp(join(root, "empty-"));
  const about = { private: true, dependencies: { [name]: `file:${tarball}` } };
  const files = { "package.json": JSON.stringify(about), ...manager.files };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await manager.run(folder, manager.install, "online");
  return folder;
}

/** Some managers keep in the system's folder of temporary files what they run without installing it. */
const temporary = join(root, "temporary");
await mkdir(temporary);

interface TriedManager {
  readonly title: string;
  readonly manager: PackageManager;
  readonly missing: string | undefined;
}

/** A package manager whose cache is empty; `missing` says why there is none. */
async function triedManager(settings: (typeof triedManagers)[number]): Promise<TriedManager> {
  const { title } = settings;
  try {
    const manager = await packageManager(settings, join(root, `cache of ${title}`));
    return { title, manager, missing: undefined };
  } catch (error) {
    const missing = `it cannot be installed: ${String(error).slice(0, 200)}`;
    return { title, manager: undefined as never, missing };
  }
}

test("the published examples get all variables that their manifests require", async () => {
  for (const { name, env } of [weather, ...otherPublished]) {
    const manifest = new URL(`examples/${name}/mcp.yaml`, packageRoot);
    if (!existsSync(manifest)) continue;
    const { model } = checkedManifest(await readFile(manifest, "utf8"));
    const missing = model.env.filter((variable) => variable.required && !(variable.name in env));
    assert.equal(
      missing.map((variable) => variable.name),
      [],
      name,
    );
  }
});

const managers: TriedManager[] = [];
for (const settings of triedManagers) managers.push(await triedManager(settings));

for (const project of [weather, ...otherPublished]) {
  const { name, env } = project;
  test(`${name} is packed with its bundle and without its sources`, async () => {
    const { tarball } = await packed(project);
    const entries = (await runProgram(root, "tar", ["-tzf", tarball])).trim().split("\n");
    const usual = ["README.md", "SERVER.md", "dist/bundle.mjs", "package.json"];
    const wanted = [...usual, ...project.files].map((path) => `package/${path}`);
    assert.equal(entries.sort(), wanted.sort());
  });

  test(`${name} is packed with the licences of the packages in its bundle`, async () => {
    const { folder, tarball } = await packed(project);
    const bundle = await runProgram(root, "tar", ["-xzOf", tarball, "package/dist/bundle.mjs"]);
    const found = await assertLicences(folder, bundle, Object.keys(project.dependencies));
    for (const wanted of ["@mcpwright/runtime", "@modelcontextprotocol/server", "zod"])
      assert.ok(found.includes(wanted), `${wanted} is not among ${found.join(", ")}`);
    for (const wanted of project.bundled)
      assert.ok(found.includes(wanted), `${wanted} is not among ${found.join(", ")}`);
  });

  for (const { title, manager, missing } of managers) {
    const lineOf = (
      folder: string,
      words: readonly string[],
    ): Parameters<typeof project.use>[0] => {
      const [command, ...first] = manager.program;
      const variables = { ...manager.env, TMPDIR: temporary, ...env };
      return { folder, command, args: [...first, ...words], env: variables };
    };

    testUnless(missing, `${name} is installed by ${title} and started by its command`, async () => {
      const folder = await installed(manager, name, (await packed(project)).tarball);
      await project.use(lineOf(folder, [...manager.execute, name]));
      await project.use({ folder, command: "npx", args: ["--offline", name], env });
    });

    testUnless(missing, `${name} is started by ${title} from its tarball alone`, async () => {
      const folder = await mkdtemp(join(root, "anywhere-"));
      const words = manager.executeFrom((await packed(project)).tarball, name);
      await project.use(lineOf(folder, words));
    });
  }
}

test("npx starts a packed server from its cache, which finds the files of the package", async () => {
  const folder = await mkdtemp(join(root, "anywhere-"));
  const env = { ...weather.env, npm_config_cache: join(root, "npx-cache") };
  const { tarball } = await packed(weather);
  const args = ["--yes", `--package=${tarball}`, weather.name];
  await weather.use({ folder, command: "npx", args, env });
});

test.run();
