import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installPackage, whyNoLinuxProgram } from "../runner/cached-package.js";
import { runProgram } from "../runner/programs.js";
import { shortOrLong } from "../runner/test-length.js";
import { testCache } from "./installed-packages.js";

/** A package manager as people use it in a generated project. No command runs the scripts of packages. */
export interface PackageManager {
  readonly title: string;
  /** The file that records what is installed. */
  readonly lockFile: string;
  /** Installs, and writes the lock file. */
  readonly install: readonly string[];
  /** Installs what the lock file records, and fails if it does not fit `package.json`. */
  readonly installFrozen: readonly string[];
  /** What it says of a lock file that does not fit. */
  readonly refusal: RegExp;
  /** Lists the packages whose scripts its user has to decide about. */
  readonly scriptsReview?: readonly string[];
  /** Files of a project that uses it. */
  readonly files: Readonly<Record<string, string>>;
  /** Files of a workspace whose members are in `servers/`; `package.json` names them too. */
  readonly workspaceFiles: Readonly<Record<string, string>>;
  /** Runs a command of a package that is installed. */
  readonly execute: readonly string[];
  /** Runs the command of a package that is not installed, from its tarball. */
  executeFrom(tarball: string, name: string): readonly string[];
  /** Runs it in a folder. */
  run(folder: string, words: readonly string[], network?: "online" | "offline"): Promise<string>;
  /** The program with its first arguments, and its environment. */
  readonly program: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

interface Source {
  readonly name: string;
  readonly version: string;
  /** The program in the package, and whether Node.js runs it. */
  readonly program: string;
  readonly isNative?: boolean;
}

type Settings = Omit<PackageManager, "run" | "program" | "env"> & {
  readonly source: Source;
  /** Variables that name its cache, and what else it needs. */
  readonly variables: (cache: string) => Readonly<Record<string, string>>;
  readonly offline: Readonly<Record<string, string>>;
};

/** A proxy that is not there, for those that have no option to stay offline. */
const NOWHERE = "http://127.0.0.1:9/";

function npmOf(version: string): Settings {
  const [major = ""] = version.split(".");
  return {
    title: `npm ${major}`,
    source: { name: "npm", version, program: "bin/npm-cli.js" },
    lockFile: "package-lock.json",
    install: ["install", "--ignore-scripts", "--no-audit", "--no-fund"],
    installFrozen: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    refusal: /`npm ci` can only install packages when your package.json and package-lock.json/,
    ...(Number(major) > 10 && { scriptsReview: ["install-scripts", "ls"] }),
    files: {},
    workspaceFiles: {},
    execute: ["exec", "--offline", "--"],
    executeFrom: (tarball, name) => ["exec", "--yes", `--package=${tarball}`, "--", name],
    // The default: a lock file without the places of packages cannot be installed offline.
    variables: (cache) => ({
      npm_config_cache: cache,
      npm_config_omit_lockfile_registry_resolved: "false",
      npm_config_prefer_offline: "true",
    }),
    offline: { npm_config_offline: "true" },
  };
}

function pnpmOf(version: string, program: string): Settings {
  return {
    title: `pnpm ${version.split(".")[0]}`,
    source: { name: "pnpm", version, program },
    lockFile: "pnpm-lock.yaml",
    install: ["install", "--ignore-scripts", "--no-frozen-lockfile"],
    installFrozen: ["install", "--ignore-scripts", "--frozen-lockfile"],
    refusal: /ERR_PNPM_OUTDATED_LOCKFILE/,
    files: {},
    workspaceFiles: { "pnpm-workspace.yaml": "packages: [servers/*]\n" },
    execute: ["exec"],
    executeFrom: (tarball, name) => [`--package=file:${tarball}`, "dlx", name],
    variables: (cache) =>
      forPnpm({
        store_dir: join(cache, "store"),
        cache_dir: join(cache, "cache"),
        manage_package_manager_versions: "false",
        prefer_offline: "true",
      }),
    offline: forPnpm({ offline: "true" }),
  };
}

/** Variables that say settings to pnpm: until version 10, their names begin as those of npm do. */
function forPnpm(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const ofBoth = Object.entries(settings).flatMap(([name, value]) => [
    [`npm_config_${name}`, value],
    [`pnpm_config_${name}`, value],
  ]);
  return Object.fromEntries(ofBoth) as Record<string, string>;
}

const yarn: Settings = {
  title: "yarn 4",
  source: { name: "@yarnpkg/cli-dist", version: "4.18.1", program: "bin/yarn.js" },
  lockFile: "yarn.lock",
  install: ["install", "--no-immutable", "--mode=skip-build"],
  installFrozen: ["install", "--immutable", "--mode=skip-build"],
  refusal: /The lockfile would have been modified by this install, which is explicitly forbidden/,
  files: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
  workspaceFiles: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
  execute: ["run"],
  executeFrom: (tarball, name) => ["dlx", "--quiet", "--package", `${name}@file:${tarball}`, name],
  variables: (cache) => ({ YARN_GLOBAL_FOLDER: cache, YARN_ENABLE_TELEMETRY: "0" }),
  offline: { YARN_ENABLE_NETWORK: "0" },
};

const bun: Settings = {
  title: "bun 1",
  source: { name: "@oven/bun-linux-x64", version: "1.4.5", program: "bin/bun", isNative: true },
  lockFile: "bun.lock",
  install: ["install", "--ignore-scripts"],
  installFrozen: ["install", "--ignore-scripts", "--frozen-lockfile"],
  refusal: /lockfile had changes, but lockfile is frozen/,
  files: {},
  workspaceFiles: {},
  execute: ["x", "--no-install"],
  executeFrom: (tarball, name) => ["x", "--package", tarball, name],
  variables: (cache) => ({ BUN_INSTALL_CACHE_DIR: cache }),
  offline: { HTTPS_PROXY: NOWHERE, HTTP_PROXY: NOWHERE },
};

const npm = npmOf("11.19.1");
const otherNpms = [npmOf("10.9.9"), npmOf("12.2.2")];
const pnpms = [pnpmOf("10.34.8", "bin/pnpm.cjs"), pnpmOf("12.21.0", "bin/pnpm.mjs")];

/** Those that are tried: by `npm test`, the one that everybody has, and by `npm run test:long`, the others too. */
export const triedManagers: readonly Settings[] = shortOrLong(
  [npm],
  [npm, ...otherNpms, ...pnpms, yarn, bun],
);

/**
 * Installs a package manager, once.
 *
 * @param cache where it keeps what it downloads; by default, runs of tests share a folder
 * @throws Error if the registry cannot be reached, or the program is for other machines
 */
export async function packageManager(
  settings: Settings,
  cache = join(testCache, "package-managers", settings.title.replace(" ", "-")),
): Promise<PackageManager> {
  const { source, variables, offline, ...rest } = settings;
  const reason = source.isNative === true ? whyNoLinuxProgram(source.name) : undefined;
  if (reason !== undefined) throw new Error(reason);
  const place = await installPackage(source.name, source.version);
  const file = join(place, "node_modules", source.name, source.program);
  const program: [string, ...string[]] =
    source.isNative === true ? [file] : [process.execPath, file];
  await mkdir(cache, { recursive: true });
  // In CI, yarn and pnpm refuse to write lock files by default.
  const env = { CI: "", COREPACK_ENABLE_STRICT: "0", ...variables(cache) };
  const [command, ...first] = program;
  const run: PackageManager["run"] = (folder, words, network = "offline") =>
    runProgram(folder, command, [...first, ...words], {
      ...env,
      ...(network === "offline" && offline),
    });
  return { ...rest, program, env, run };
}
