import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildProject } from "../../../harness/projects/built-project.js";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";

/** The server that hostile requests are sent to: written as a user writes one, limits set low. */

/** Schemas that lead to each other in place and at each level below: the same is asked of a value in many ways. */
const tangle = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => {
    const below = { properties: { self: { $ref: "#/$defs/d0" } } };
    const inPlace = index < 11 ? { allOf: [{ $ref: `#/$defs/d${index + 1}` }] } : {};
    return [`d${index}`, { type: "object", ...below, ...inPlace }];
  }),
);

const manifest = `
name: demo
version: 1.0.0
transports: [{ type: stdio }, { type: http }]
env: { API_KEY: { description: A secret that no answer may hold, secret: true } }
limits: { timeoutMs: 2000, ratePerSecond: 200, bodyBytes: 2000000, concurrency: 200 }
schemas:
  Expression:
    anyOf:
      - type: object
        properties: { operand: { $ref: "#/schemas/Expression" }, operator: { const: plus } }
        required: [operator]
      - type: object
        properties: { operand: { $ref: "#/schemas/Expression" }, operator: { const: minus } }
        required: [operator]
tools:
  - name: echo
    description: Says the text again.
    annotations: { readOnlyHint: true }
    inputSchema:
      type: object
      properties:
        text: { type: string, maxLength: 1000 }
        times: { type: integer, minimum: 1, maximum: 3, default: 1 }
      required: [text]
      additionalProperties: false
  - name: count
    description: Counts what it is given.
    inputSchema:
      type: object
      properties: { items: { type: array, items: { type: integer, minimum: 0 } } }
      required: [items]
  - name: wait
    description: Answers after a while.
    inputSchema:
      type: object
      properties: { ms: { type: integer, minimum: 0, maximum: 60000 } }
      required: [ms]
  - name: hold
    description: Answers once a file is there.
    timeoutMs: 600000
    inputSchema: { type: object, properties: { file: { type: string } }, required: [file] }
  - name: fail
    description: Fails in a way that handlers fail.
    inputSchema: { type: object, properties: { how: { type: string } }, required: [how] }
  - name: spoil
    description: Returns what it must not.
    inputSchema: { type: object, properties: { how: { type: string } }, required: [how] }
    outputSchema: { type: object, properties: { ok: { const: true } }, required: [ok] }
  - name: unique
    description: Takes a list without repeats.
    inputSchema:
      type: object
      properties: { a: { type: array, uniqueItems: true, items: { type: object } } }
  - name: evaluate
    description: Evaluates an expression.
    inputSchema: { type: object, properties: { of: { $ref: "#/schemas/Expression" } }, required: [of] }
    outputSchema: { $ref: "#/schemas/Expression" }
  - name: untangle
    description: Takes a list of what is checked in many ways.
    inputSchema:
      type: object
      properties: { items: { type: array, items: { $ref: "#/$defs/d0" } } }
      required: [items]
      $defs: ${JSON.stringify(tangle)}
  - name: watch
    description: Says what the process has been through, and starts anew.
    inputSchema:
      type: object
      properties: { collectFirst: { type: boolean, default: false, description: Whether it collects garbage first. } }
    outputSchema:
      type: object
      properties: { blockedMs: { type: number }, referenceMs: { type: number }, heapBytes: { type: integer }, sockets: { type: integer } }
      required: [blockedMs, referenceMs, heapBytes, sockets]
resources:
  - { uri: "demo://plain", name: plain, file: data/plain.txt }
  - { uri: "demo://fifo", name: fifo, file: data/fifo }
  - { uri: "demo://folder", name: folder, file: data/folder }
  - { uri: "demo://outside", name: outside, file: data/outside }
  - { uri: "demo://twin", name: twin, file: data/twin }
  - { uri: "demo://huge", name: huge, file: data/huge }
  - { uri: "demo://environ", name: environ, file: data/environ }
  - { uri: "demo://zero", name: zero, file: data/zero }
resourceTemplates:
  - { uriTemplate: "file:///docs/{+path}", name: docs }
  - { uriTemplate: "demo://parts/{one}/{two}", name: parts, complete: { one: [alpha, beta] } }
prompts:
  - name: greet
    description: Greets someone.
    arguments: [{ name: who, required: true }, { name: from, complete: [Ada, Bob] }]
    messages: [{ role: user, content: { type: text, text: "Hello, {{who}}!" } }]
`;

export const handler = (type: string, name: string, body: string): string =>
  `import type { ${type} } from "../generated/index.js";\n\nexport const ${name}: ${type}<"${name}"> = ${body};\n`;

/**
 * A handler that answers with a long text of its own, in one piece. V8 makes a tree of what `repeat` returns, and takes
 * longer to walk it than to write the text.
 */
export const repeatLetter = `import type { ToolHandler } from "../generated/index.js";

const letters = Buffer.alloc(15_000_000, "x");

export const repeat: ToolHandler<"repeat"> = ({ length }) => letters.toString("latin1", 0, length);
`;

/**
 * Services that see what the process goes through. A block is the processor time of one callback of the
 * system with all that it leads to at once, so that neither other processes nor many callbacks in a row
 * make one. Beside it stands what parsing a text of half a megabyte costs in the same process.
 */
export const watchingServices = `import { createHook, executionAsyncResource } from "node:async_hooks";
import { PerformanceObserver } from "node:perf_hooks";

const text = JSON.stringify(Array.from({ length: 250_000 }, () => 1));

/** Milliseconds of processor time since then. */
function timeSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Whether the next code belongs to the previous callback: a promise, or a function for the next tick. */
function goesOn(): boolean {
  const resource: object = executionAsyncResource();
  return resource instanceof Promise || resource.constructor === Object;
}

export async function createServices() {
  let blockedMs = 0;
  let collecting = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting += duration;
  }).observe({ entryTypes: ["gc"] });
  let start = process.cpuUsage();
  const next = (): void => {
    blockedMs = Math.max(blockedMs, timeSince(start) - collecting);
    collecting = 0;
    start = process.cpuUsage();
  };
  createHook({ before: () => void (goesOn() || next()) }).enable();
  return {
    watch: (collectFirst: boolean) => {
      if (collectFirst) globalThis.gc?.();
      start = process.cpuUsage();
      JSON.parse(text);
      const referenceMs = timeSince(start);
      const { heapUsed } = process.memoryUsage();
      const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
      const seen = { blockedMs, referenceMs, heapBytes: heapUsed, sockets };
      blockedMs = 0;
      start = process.cpuUsage();
      return seen;
    },
  };
}

export async function closeServices(): Promise<void> {}
`;

/** A handler that a test ends, by making a file in the project's folder. */
const holdUntilFile = `import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const hold: ToolHandler<"hold"> = async ({ file }, ctx) => {
  ctx.log.info("waiting");
  while (!existsSync(file)) await delay(10);
  return "released";
};
`;

const userFiles: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/tools/echo.ts": handler("ToolHandler", "echo", "({ text, times }) => text.repeat(times)"),
  "src/tools/count.ts": handler("ToolHandler", "count", "({ items }) => String(items.length)"),
  "src/tools/unique.ts": handler("ToolHandler", "unique", "({ a = [] }) => String(a.length)"),
  "src/tools/evaluate.ts": handler("ToolHandler", "evaluate", "({ of }) => of"),
  "src/tools/untangle.ts": handler("ToolHandler", "untangle", "({ items }) => `${items.length}`"),
  "src/tools/wait.ts": `import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.js";

export const wait: ToolHandler<"wait"> = async ({ ms }, ctx) => {
  ctx.log.info("waiting");
  await delay(ms, undefined, { signal: ctx.signal }).catch((error: unknown) => {
    ctx.log.info("aborted while waiting");
    throw error;
  });
  return \`waited \${ms}\`;
};
`,
  "src/tools/hold.ts": holdUntilFile,
  "src/tools/fail.ts": `import type { ToolHandler } from "../generated/index.js";

const secret = "ENOENT /home/me/.ssh/id_rsa password=hunter2";

export const fail: ToolHandler<"fail"> = async ({ how }, ctx) => {
  switch (how) {
    case "error":
      throw new Error(secret);
    case "string":
      throw secret;
    case "undefined":
      throw undefined;
    case "null":
      throw null;
    case "symbol":
      throw Symbol(secret);
    case "getter":
      throw Object.defineProperty(new Error("x"), "message", {
        get: () => {
          throw new Error(secret);
        },
      });
    case "late":
      void new Promise((_resolve, reject) => setTimeout(() => reject(new Error(secret)), 20));
      return "answered";
    case "after its time":
      await new Promise((resolve) => setTimeout(resolve, 2_300));
      throw new Error(secret);
    case "uncaught":
      setTimeout(() => {
        throw new Error(secret);
      }, 1);
      return "answered";
    case "never":
      return new Promise<never>(() => undefined);
    default:
      ctx.log.debug(secret);
      return "fine";
  }
};
`,
  "src/tools/spoil.ts": `import type { ToolHandler } from "../generated/index.js";

const circular: Record<string, unknown> = {};
circular["again"] = circular;

const results: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  circular: () => ({ ok: true, circular }),
  bigint: () => ({ ok: true, value: 1n }),
  huge: () => ({ ok: true, text: Buffer.alloc(40_000_000, "x").toString("latin1") }),
  "wrong shape": () => "text",
  "breaks its schema": () => ({ ok: false }),
};

export const spoil: ToolHandler<"spoil"> = ({ how }) =>
  (results[how]?.() ?? undefined) as { ok: true };
`,
  "src/tools/watch.ts": handler(
    "ToolHandler",
    "watch",
    "({ collectFirst }, ctx) => ctx.services.watch(collectFirst)",
  ),
  "src/resources/docs.ts": handler("ResourceTemplateHandler", "docs", "({ path }) => path"),
  "src/resources/parts.ts": handler(
    "ResourceTemplateHandler",
    "parts",
    "({ one, two }) => JSON.stringify([one, two])",
  ),
  "src/context.ts": watchingServices,
};

/** What a file resource must not give away, or must not hang on. */
async function makeTraps(data: string): Promise<void> {
  await mkdir(join(data, "folder"), { recursive: true });
  await writeFile(join(data, "plain.txt"), "plain");
  execFileSync("mkfifo", [join(data, "fifo")]);
  await mkdir(`${dirname(data)}-twin`);
  await writeFile(`${dirname(data)}-twin/secret.txt`, "twin's secret");
  await symlink(`${dirname(data)}-twin/secret.txt`, join(data, "twin"));
  await symlink("/etc/hostname", join(data, "outside"));
  await symlink("/proc/self/environ", join(data, "environ"));
  await symlink("/dev/zero", join(data, "zero"));
  await writeFile(join(data, "huge"), "");
  await truncate(join(data, "huge"), 10_000_000_000);
}

/** Generates, installs and builds the project in a new folder, and returns the folder. */
export async function buildDemoProject(): Promise<string> {
  const folder = await makeProject("demo", userFiles);
  await makeTraps(join(folder, "data"));
  return folder;
}

/** Generates, installs and builds a project of these files, in a folder of that name in a new one. */
export async function makeProject(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "mcpwright-hostile-"));
  const folder = join(parent, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const { status, out, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(out + err);
  await installShared(folder);
  await buildProject(folder);
  return folder;
}
