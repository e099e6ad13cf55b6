import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Plan } from "../model/plan.js";

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
  for (let at = folder; ; at = dirname(at)) {
    const found = Object.entries(LOCK_FILES).find(([file]) => existsSync(join(at, file)));
    if (found !== undefined) return found[1];
    if (dirname(at) === at) break;
  }
  const name = agent?.split("/")[0];
  return MANAGERS.find((manager) => manager === name) ?? "npm";
}

/** Says that packages must be installed, if a plan changes those that `package.json` names; otherwise an empty text. */
export function installText({ operations }: Plan, folder: string): string {
  const write = operations.find(({ path }) => path === "package.json");
  if (write?.kind !== "write") return "";
  const { content, replaced } = write;
  if (write.before !== undefined && replaced === undefined) return "";
  const isSame = packagesIn(replaced ?? Buffer.from("{}")) === packagesIn(content);
  return isSame
    ? ""
    : `Now run \`${packageManagerOf(folder)} install\`: package.json names other packages.\n`;
}

/** The packages that a `package.json` names, as a text to compare; the text is empty if the file is no JSON. */
function packagesIn(bytes: Uint8Array): string {
  try {
    const value = JSON.parse(
      Buffer.from(bytes)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    ) as JsonValue;
    const { dependencies, devDependencies }: JsonObject = isJsonObject(value) ? value : {};
    return JSON.stringify([dependencies, devDependencies]);
  } catch {
    return "";
  }
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
  let said = "";
  const listen = (text: Buffer): void => void (said = (said + text.toString()).slice(-MOST_WORDS));
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ENOENT" ? "there is no such program" : error.message);
    });
    child.on("close", (status, signal) => {
      resolve(status === 0 ? undefined : (lastWords(said) ?? `it ended with ${status ?? signal}`));
    });
  });
}

/** The length of the end of a program's output that is kept, in characters. */
const MOST_WORDS = 4_000;

/** The first line that names a problem; if none does, the last line. */
function lastWords(said: string): string | undefined {
  const lines = said.split("\n").map((line) => line.trim());
  const told = lines.filter((line) => line !== "" && !/complete log of this run|\.log$/.test(line));
  return told.find((line) => /\berr(?:or)?\b/i.test(line)) ?? told.at(-1);
}
