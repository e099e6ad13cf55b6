import { spawn, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { installShared } from "../../../harness/projects/installed-packages.js";
import type { ToolKind } from "./bench-tools.js";

/** Milliseconds from saving the manifest to each step of `mcpwright dev`. */
export interface DevRound {
  /** The part of it that generating reports of itself. */
  readonly generating: number;
  readonly generated: number;
  /** The type-check's verdict. */
  readonly checked: number;
  /** The first answer of the restarted server to `tools/list`. */
  readonly answered: number;
}

/** Longer waits than this, in milliseconds, mean that `dev` has failed. */
const PATIENCE = 120_000;

/**
 * Saves a manifest again and again under `mcpwright dev`, one tool changed each time, and says how long each
 * step took. The first two changes are not counted: they warm the compiler up.
 *
 * @param bin the published command
 * @param folder an empty folder for the project
 * @throws Error with the output of `dev` if a step does not happen
 */
export async function devRounds(
  bin: string,
  folder: string,
  kind: ToolKind,
  { tools, rounds }: { readonly tools: number; readonly rounds: number },
): Promise<DevRound[]> {
  const manifest = join(folder, "mcp.yaml");
  await writeFile(manifest, kind.manifest(tools));
  const { status, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(err);
  await installShared(folder);
  const child = spawn(process.execPath, [bin, "dev", "--json", "--", "--http", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const events = new DevEvents(child);
    await answer(await events.next(urlOf));
    const measured: DevRound[] = [];
    for (let round = 0; round < rounds + 2; round += 1) {
      const text = round % 2 === 0 ? kind.changed(tools) : kind.manifest(tools);
      const times = await saved(manifest, text, events);
      if (round >= 2) measured.push(times);
    }
    return measured;
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  }
}

async function saved(manifest: string, text: string, events: DevEvents): Promise<DevRound> {
  await writeFile(manifest, text);
  const started = performance.now();
  const since = (): number => performance.now() - started;
  const generating = await events.next(generatingTime);
  const generated = since();
  await events.next(({ event, ok }) => (event === "checked" && ok === true ? true : undefined));
  const checked = since();
  await answer(await events.next(urlOf));
  return { generating, generated, checked, answered: since() };
}

/** A line of `dev --json`, or of the server's log. */
type Line = Readonly<Record<string, unknown>>;

function urlOf({ url }: Line): string | undefined {
  return typeof url === "string" ? url : undefined;
}

function generatingTime({ event, report }: Line): number | undefined {
  if (event !== "generated") return undefined;
  const { stats } = report as { readonly stats: { readonly milliseconds: number } };
  return stats.milliseconds;
}

/** What `dev --json` prints, read line by line in order. */
class DevEvents {
  readonly #lines: AsyncIterator<string>;
  #printed = "";

  constructor({ stderr }: ChildProcess) {
    if (stderr === null) throw new Error("dev has no stderr");
    this.#lines = createInterface({ input: stderr })[Symbol.asyncIterator]();
  }

  /** Waits for the next line in which `find` finds something. */
  async next<Found>(find: (line: Line) => Found | undefined): Promise<Found> {
    const timeLimit = AbortSignal.timeout(PATIENCE);
    const late = new Promise<never>((_, reject) => {
      timeLimit.addEventListener("abort", () => reject(new Error(`too late: ${this.#printed}`)));
    });
    for (;;) {
      const { value, done } = await Promise.race([this.#lines.next(), late]);
      if (done === true) throw new Error(`dev has ended: ${this.#printed}`);
      this.#printed += `${value}\n`;
      const found = find(parsed(value));
      if (found !== undefined) return found;
    }
  }
}

function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
}

const TOOLS_LIST = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/list",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

/** Lists the tools of a server. */
async function answer(url: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
  };
  const response = await fetch(url, { method: "POST", headers, body: TOOLS_LIST });
  const text = await response.text();
  if (!response.ok || !text.includes('"tools"')) throw new Error(text);
}
