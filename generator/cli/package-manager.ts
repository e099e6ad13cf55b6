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
