import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";
import { mutateToken, tokensOf } from "./token-mutations.js";

/**
 * What the generated tests and the type-check of an example notice: changes one token at a time in
 * the files under `src/generated`, and says by file how many changes made one of them fail.
 *
 *   npm run mutations -- 200 [first seed] [example] [part of the files' paths; `!runtime/` leaves them out]
 */
const count = Number(process.argv[2] ?? 100);
const firstSeed = Number(process.argv[3] ?? 1);
const example = process.argv[4] ?? "weather";
const part = process.argv[5] ?? "";

const source = fileURLToPath(new URL(`examples/${example}/`, packageRoot));

type Fate = "refused by the type-check" | "failed a test" | "did not end" | "survived";

/** Milliseconds after which a program counts as one that never ends; the tests take a few seconds. */
const PATIENCE = 90_000;

async function prepare(): Promise<string> {
  const folder = await copyUserFiles(source, "mutations");
  const { status, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(err);
  await installShared(folder);
  if ((await fateOf(folder)) !== "survived") throw new Error("the project fails unchanged");
  return folder;
}

/** Compiles the project as it is, and runs its generated tests. */
async function fateOf(folder: string): Promise<Fate> {
  const compiled = await endOf(folder, "node_modules/.bin/tsc", []);
  if (compiled !== "passed") return "refused by the type-check";
  const tested = await endOf(folder, "node_modules/.bin/uvu", [
    "dist/test/generated",
    "\\.test\\.js$",
  ]);
  if (tested === "passed") return "survived";
  return tested === "failed" ? "failed a test" : "did not end";
}

/** Runs a program in a process group of its own, which ends with it, or with our patience. */
function endOf(
  folder: string,
  program: string,
  parameters: readonly string[],
): Promise<"passed" | "failed" | "hung"> {
  const child = spawn(program, parameters, { cwd: folder, detached: true, stdio: "ignore" });
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve("hung");
      endGroup();
    }, PATIENCE);
    child.on("error", reject);
    child.on("exit", (status) => {
      clearTimeout(timer);
      resolve(status === 0 ? "passed" : "failed");
      endGroup();
    });
  });
}

async function generatedFiles(folder: string): Promise<string[]> {
  const root = join(folder, "src/generated");
  const names = await readdir(root, { recursive: true });
  const code = names.filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"));
  const isMeant = part.startsWith("!")
    ? (name: string) => !name.includes(part.slice(1))
    : (name: string) => name.includes(part);
  return code.filter(isMeant).sort();
}

/** All tokens of all files are equally likely. */
async function measure(): Promise<void> {
  const folder = await prepare();
  const files = await Promise.all(
    (await generatedFiles(folder)).map(async (name) => {
      const text = await readFile(join(folder, "src/generated", name), "utf8");
      return { name, text, tokens: tokensOf(text) };
    }),
  );
  const places = files.flatMap((file) => file.tokens.map(() => file));
  const fates = new Map<string, Record<Fate, number>>();
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = randomNumbers(seed);
    const file = places[random(places.length)];
    const mutation = file && mutateToken(file.tokens, random);
    if (file === undefined || mutation === undefined) continue;
    const { name, text } = file;
    const { offset, before, after } = mutation;
    const path = join(folder, "src/generated", name);
    await writeFile(path, text.slice(0, offset) + after + text.slice(offset + before.length));
    const fate = await fateOf(folder);
    await writeFile(path, text);
    const ofFile = fates.get(name) ?? newCounts();
    ofFile[fate] += 1;
    fates.set(name, ofFile);
    if (fate === "survived") {
      const line = text.slice(0, offset).split("\n").length;
      console.log(`seed ${seed}: ${name}:${line} ${before} → ${after} survived`);
    }
  }
  report(fates);
  if ((await fateOf(folder)) !== "survived") throw new Error("the project fails unchanged");
}

const newCounts = (): Record<Fate, number> => ({
  "refused by the type-check": 0,
  "failed a test": 0,
  "did not end": 0,
  survived: 0,
});

function report(fates: ReadonlyMap<string, Record<Fate, number>>): void {
  const total = newCounts();
  for (const [name, ofFile] of [...fates].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const all = Object.values(ofFile).reduce((sum, one) => sum + one, 0);
    console.log(`${String(all - ofFile.survived).padStart(4)} of ${String(all).padEnd(4)} ${name}`);
    for (const fate of Object.keys(total) as Fate[]) total[fate] += ofFile[fate];
  }
  const all = Object.values(total).reduce((sum, one) => sum + one, 0);
  const percent = ((100 * (all - total.survived)) / Math.max(1, all)).toFixed(1);
  console.log(`${JSON.stringify(total)}: ${percent} % of ${all} noticed`);
}

await measure();
