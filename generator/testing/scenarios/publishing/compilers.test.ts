import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { installPackage } from "../../harness/runner/cached-package.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installRuntimeAlone, installShared } from "../../harness/projects/installed-packages.js";
import { runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** Generated code and the package of the runtime are compiled by their owner's compiler, with their owner's options. */

const examples = fileURLToPath(new URL("examples/", packageRoot));
const OPTIONS = {
  composite: true,
  declaration: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedDeclarations: true,
  isolatedModules: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
  verbatimModuleSyntax: true,
};
const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "preserve", moduleResolution: "bundler" },
};

/** A version of TypeScript, and how it finds modules. */
type Corner = readonly [version: "5.8.3" | "5.9.3" | "7.0.2", resolution: keyof typeof RESOLUTIONS];
/** The version that is written in Go. The others take several times as long. */
const NATIVE = "7.0.2";
const SHORT: readonly Corner[] = [[NATIVE, "bundler"]];
const LONG: readonly Corner[] = [
  ...SHORT,
  ["5.8.3", "nodenext"],
  ["5.8.3", "bundler"],
  ["5.9.3", "nodenext"],
  ["5.9.3", "bundler"],
  [NATIVE, "nodenext"],
];
const corners = shortOrLong(SHORT, LONG);
/** Those that compile the entries of the package where nothing else is installed. */
const cornersOfEntries = shortOrLong<readonly Corner[]>([[NATIVE, "nodenext"]], LONG);

/** The first has the handlers of examples/conformance, which name built modules. */
const PROJECTS = ["built-modules", "evolution", "transports"] as const;

/** Manifests of every kind of file that a project starts with. Nobody edits these projects. */
const TOOLS = `name: starters
version: 1.0.0
tools:
  - name: greet
    description: Greets.
    inputSchema: { type: object, properties: { who: { type: string } }, required: [who] }
    outputSchema: { type: object, properties: { words: { type: string } } }
`;
const STARTERS = {
  starters: `${TOOLS}transports: [{ type: stdio }, { type: custom, name: pipe }]
resources:
  - { uri: "app://news", name: news, description: News., subscribe: true }
resourceTemplates:
  - uriTemplate: "app://cities/{city}"
    name: city
    description: A city.
    complete: { city: code }
    list: code
prompts:
  - name: plan
    arguments: [{ name: city, complete: code }]
  - name: ask
    messages: [{ role: user, content: { type: text, text: Hi } }]
`,
  "starters-with-callers": `${TOOLS}    scopes: [greet]
transports: [{ type: http }]
`,
} as const;
const root = await mkdtemp(join(tmpdir(), "mcpwright-compiled-"));
test.after(() => rm(root, { recursive: true, force: true }));

/** An example with all that generating puts into it, and what it depends on. */
async function generated(example: string, name: string): Promise<string> {
  const folder = join(root, name);
  await rename(await copyUserFiles(`${examples}${example}`, name), folder);
  await generate(folder);
  await installShared(folder);
  return folder;
}

/** What is generated for a manifest, with the packages that it depends on. */
async function started(name: keyof typeof STARTERS): Promise<void> {
  const folder = join(root, name);
  await mkdir(folder);
  await writeFile(join(folder, "mcp.yaml"), STARTERS[name]);
  await generate(folder);
  await installShared(folder);
}

async function generate(folder: string): Promise<void> {
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
}

/** Names built modules in a project's handlers, as stubs of 0.1.0 did; returns the sources by their paths. */
async function nameBuiltModules(folder: string): Promise<ReadonlyMap<string, string>> {
  const tools = join(folder, "src/tools");
  const written = new Map<string, string>();
  for (const name of await readdir(tools)) {
    const path = join(tools, name);
    const source = await readFile(path, "utf8");
    written.set(path, source.replaceAll('.ts"', '.js"'));
    assert.is.not(written.get(path), source, name);
    await writeFile(path, written.get(path) ?? "");
  }
  return written;
}

/** The native compiler's option: each further thread would check the types of packages once more. */
const ONE_THREAD = "--singleThreaded";

/**
 * What a compiler says of some folders, compiled as one program so that it reads packages once.
 *
 * @param options what differs from {@link OPTIONS}
 */
async function findings(
  [version, resolution]: Corner,
  names: readonly string[],
  options: Partial<typeof OPTIONS> = {},
): Promise<readonly string[]> {
  const settings = {
    extends: `./${names[0]}/tsconfig.json`,
    compilerOptions: {
      ...OPTIONS,
      ...options,
      ...RESOLUTIONS[resolution],
      noEmit: true,
      rootDir: ".",
      typeRoots: [`./${names[0]}/node_modules/@types`],
    },
    include: names.flatMap((name) => [`${name}/src`, `${name}/test`]),
    exclude: names.map((name) => `${name}/src/removed`),
  };
  await writeFile(join(root, "strict.json"), JSON.stringify(settings));
  const compiler = join(await installPackage("typescript", version), "node_modules/typescript");
  const output = await runProgram(root, process.execPath, [
    join(compiler, "bin/tsc"),
    ...["-p", "strict.json", ...(version === NATIVE ? [ONE_THREAD] : [])],
  ]).catch((error: Error) => error.message);
  return (output.match(/^.*error TS.*$/gm) ?? []).filter((finding) => !isOwnExport(finding));
}

/** Whether a finding wants a type on an export that a person wrote. */
function isOwnExport(finding: string): boolean {
  const isWritten = !/\/generated\/|^starters/.test(finding);
  return isWritten && /error TS90\d\d:/.test(finding);
}

/** The entries of the package. Some need the types of a package that only their users install. */
async function entriesOf(folder: string): Promise<string[]> {
  const path = join(folder, "node_modules/@mcpwright/runtime/package.json");
  const { name, exports } = JSON.parse(await readFile(path, "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.entries(exports)
    .filter(([entry, target]) => target.endsWith(".js") && !entry.includes("*"))
    .map(([entry]) => name + entry.slice(1));
}

/** A module that exports all of some entries. */
function moduleOf(entries: readonly string[]): string {
  return entries.map((entry, index) => `export * as entry${index} from "${entry}";\n`).join("");
}

const NEED_CLIENT = ["@mcpwright/runtime/servers", "@mcpwright/runtime/testing"];

test(`the entries of the package need no types but those of Node.js and of its own dependencies`, async () => {
  const folder = join(root, "consumer");
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "@mcpwright/runtime/tsconfig.json" }),
  );
  await installRuntimeAlone(folder, ["@types/node"]);
  const entries = await entriesOf(folder);
  const imported = entries.filter((entry) => !NEED_CLIENT.includes(entry));
  assert.is(imported.length, entries.length - NEED_CLIENT.length);
  await writeFile(join(folder, "src/generated.ts"), moduleOf(imported));
  for (const corner of cornersOfEntries) {
    assert.equal(await findings(corner, ["consumer"]), [], corner.join(" "));
  }
});

test("compilers accept what is generated under the strictest options, what projects start with, every entry of the package, and handlers that name built modules", async () => {
  const [named, ...others] = PROJECTS;
  const former = await generated("conformance", named);
  for (const name of others) await generated(name, name);
  const starters = ["starters", "starters-with-callers"] as const;
  for (const name of starters) await started(name);
  const all = [...PROJECTS, ...starters];
  // In the same program, so that a compiler reads and checks the package's types once.
  await writeFile(join(former, "src/entries.ts"), moduleOf(await entriesOf(former)));
  const written = await nameBuiltModules(former);
  await generate(former);
  for (const [path, source] of written) assert.is(await readFile(path, "utf8"), source, path);
  for (const corner of corners) {
    // In short, the test above alone has the types of packages checked, which projects do not.
    const skipLibCheck = shortOrLong(true, false);
    assert.equal(await findings(corner, all, { skipLibCheck }), [], corner.join(" "));
  }
});

test("a handler that is missing or has a wrong type is an error at its line", async () => {
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(root, "evolution/src/tools", name), text);
  const typed = 'export const getBook: ToolHandler<"get_book"> = ({ isbn }) => isbn.length;\n';
  await write(
    "get-book.ts",
    `import type { ToolHandler } from "../generated/index.ts";\n\n${typed}`,
  );
  await write("renew-loan.ts", "export const renewLoan = (): { due: number } => ({ due: 1 });\n");
  await write("search-books.ts", "export const findBooks = (): number => 1;\n");
  const place = async (name: string): Promise<string> => {
    const text = await readFile(join(root, "evolution/src/generated/tools", name), "utf8");
    const line = text.split("\n").findIndex((one) => one.startsWith("  handler: ")) + 1;
    return `evolution/src/generated/tools/${name}(${line},`;
  };
  // The types of packages are checked by the tests above.
  const found = await findings(["7.0.2", "nodenext"], ["evolution"], { skipLibCheck: true });
  const places = ["evolution/src/tools/get-book.ts(3,", await place("renew-loan.ts")];
  for (const wanted of [...places, await place("search-books.ts")]) {
    assert.ok(
      found.some((finding) => finding.startsWith(wanted)),
      `${wanted}\n${found.join("\n")}`,
    );
  }
});

test.run();
