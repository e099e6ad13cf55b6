import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unneededScripts } from "../5-emit/project/dependency-versions.js";
import { RUNTIME_PACKAGE } from "../5-emit/project/runtime-package.js";
import type { Plan } from "../model/plan.js";
import { readText } from "./read-text.js";
import {
  dependenciesIn,
  findPackage,
  readPackageJson,
  uninstalledPackages,
  uninstalledText,
} from "./type-check/installed-packages.js";

/** The programs that install the packages of projects. */
const MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;

export type PackageManager = (typeof MANAGERS)[number];

const LOCK_FILES: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
};

/**
 * The program that installs a project's packages: the one whose lock file is in the folder or, in a workspace, above it;
 * otherwise the one that runs this process.
 *
 * @param agent the variable by which these programs tell their name to what they run, such as `pnpm/10.1.0 node/v22`
 */
export function packageManagerOf(
  folder: string,
  agent: string | undefined = process.env["npm_config_user_agent"],
): PackageManager {
  for (const at of withParents(folder)) {
    const found = Object.entries(LOCK_FILES).find(([file]) => existsSync(join(at, file)));
    if (found !== undefined) return found[1];
  }
  const name = agent?.split("/")[0];
  return MANAGERS.find((manager) => manager === name) ?? "npm";
}

/** A folder and those that it is in, from the inside. */
function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** A file of settings without which a package manager does not install a new project as the project needs it. */
interface NeededSettings {
  /** Where one of these files is in the folder or above it, its owner has decided. */
  readonly owners: readonly string[];
  readonly file: string;
  readonly content: string;
}

const NEEDED_SETTINGS: Readonly<Partial<Record<PackageManager, NeededSettings>>> = {
  // By itself, yarn leaves packages packed, where neither the compiler nor editors read them.
  yarn: {
    owners: [".yarnrc.yml", "yarn.lock"],
    file: ".yarnrc.yml",
    content: "nodeLinker: node-modules\n",
  },
  // Since version 11, pnpm fails for a script about which nobody has decided. For npm, package.json says the same.
  pnpm: {
    owners: ["pnpm-workspace.yaml"],
    file: "pnpm-workspace.yaml",
    content: [
      "allowBuilds:",
      ...Object.keys(unneededScripts).map((name) => `  ${name}: false`),
      "",
    ].join("\n"),
  },
};

/** Writes the settings that a package manager needs for a new project, unless the folder or one above it has some. */
export function writeNeededSettings(manager: PackageManager, folder: string): void {
  const needed = NEEDED_SETTINGS[manager];
  if (needed === undefined) return;
  const hasOwners = (at: string): boolean =>
    needed.owners.some((file) => existsSync(join(at, file)));
  if (withParents(folder).some(hasOwners)) return;
  writeFileSync(join(folder, needed.file), needed.content, { flag: "wx" });
}

/**
 * True if Yarn keeps the packages of a project packed (Plug'n'Play), as it does by default since version 2. The nearest
 * setting decides; without one, that Yarn has installed so, or that its lock file is of such a version.
 */
export function usesPlugAndPlay(folder: string): boolean {
  if (findPackage(RUNTIME_PACKAGE, folder) !== undefined) return false;
  const linkers = withParents(folder).flatMap(
    (at) =>
      /^nodeLinker:\s*["']?([\w-]+)/m.exec(readText(join(at, ".yarnrc.yml")) ?? "")?.[1] ?? [],
  );
  if (linkers[0] !== undefined) return linkers[0] === "pnp";
  return withParents(folder).some(
    (at) =>
      existsSync(join(at, ".pnp.cjs")) ||
      /^__metadata:/m.test(readText(join(at, "yarn.lock")) ?? ""),
  );
}

/**
 * Says which packages are not installed as the package.json of a plan wants them, and what installs them. The text is empty
 * if all are, or if nothing is installed yet and the plan does not change that.
 */
export function installText(plan: Plan, folder: string, when: "Now" | "Then" = "Now"): string {
  const write = plan.operations.find(({ path }) => path === "package.json");
  const before = write?.kind === "write" ? write.replaced : undefined;
  const packageJson = write?.kind === "write" ? textOf(write.content) : readPackageJson(folder);
  const needed = dependenciesIn(packageJson);
  const uninstalled = uninstalledPackages(packageJson, folder).filter(({ name }) =>
    needed.has(name),
  );
  const isInstalled = [...needed.keys()].some((name) => findPackage(name, folder) !== undefined);
  const isChanged =
    write !== undefined && !areEqual(needed, dependenciesIn(before && textOf(before)));
  if (uninstalled.length === 0 || !(isChanged || isInstalled)) return "";
  const problem = isInstalled ? uninstalledText(uninstalled) : "no package is installed yet";
  return `${when} run \`${packageManagerOf(folder)} install\`: ${problem}.\n`;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return (
    one.size === other.size && [...one].every(([name, version]) => other.get(name) === version)
  );
}

/**
 * Installs the packages of a project.
 *
 * @returns why it failed, in the program's last words; undefined if it did not
 */
export async function install(
  manager: PackageManager,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  // Windows starts these programs, which are scripts there, through a shell only.
  const shell = process.platform === "win32";
  const child = spawn(manager, ["install"], { cwd: folder, env, shell, stdio: "pipe" });
  child.stdin.end();
  let output = "";
  const listen = (text: Buffer): void =>
    void (output = (output + text.toString()).slice(-MOST_WORDS));
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ENOENT" ? "there is no such program" : error.message);
    });
    child.on("close", (status, signal) => {
      resolve(
        status === 0 ? undefined : (lastWords(output) ?? `it ended with ${status ?? signal}`),
      );
    });
  });
}

/** The length of the end of a program's output that is kept, in characters. */
const MOST_WORDS = 4_000;

/** The first line that names a problem; if none does, the last line. Yarn begins lines with a code and a frame. */
function lastWords(output: string): string | undefined {
  const lines = output.split("\n").map((line) => line.trim().replace(/^➤ YN\d+: [│┌└·] */, ""));
  const messages = lines.filter(
    (line) => line !== "" && !/complete log of this run|\.log$/.test(line),
  );
  const problem = messages.find((line) => /\berr(?:or)?\b|\bERR_|Error\b/i.test(line));
  return withFirstCause(problem ?? messages.at(-1), output);
}

/** pnpm says the code of an error on a line of its own since version 12. Its first cause stands below it in a frame. */
function withFirstCause(problem: string | undefined, output: string): string | undefined {
  if (problem === undefined || !/^Error: ERR_PNPM_\w+$/.test(problem)) return problem;
  const [, cause] = /[├╰]─▶ (.+(?:\n +│? {3}\S.*)*)/.exec(output) ?? [];
  return cause === undefined ? problem : `${problem}: ${cause.replace(/\s*\n[\s│]*/g, " ")}`;
}
