import type { McpServerFactory } from "@modelcontextprotocol/server";
import { Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { StandIn, type SeenRun, type StandInAnswer } from "../clients/stand-in.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectParts, expectThat, testText } from "../expectation.js";
import { skip } from "../starter.js";

declare module "../contract.js" {
  interface Contracts {
    readonly programs: ProgramsContract;
  }
}

/** What the manifest says of tools that run programs. */
export interface ProgramsContract {
  readonly items: readonly ProgramContract[];
}

export interface ProgramContract {
  readonly name: string;
  /** Whether it is there from the start. */
  readonly enabled?: boolean;
  /** What a handler answers until it is written; absent where there is a body. */
  readonly stub?: string;
  readonly cases: readonly ProgramCase[];
}

/** What a program must be run with. */
export type ExpectedRun = SeenRun;

/** A call, what the program does then, and what comes of it. */
export interface ProgramCase {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly program: StandInAnswer;
  readonly run?: ExpectedRun;
  /** The parts of the result that are known; without it and without an error, it must be none. */
  readonly result?: JsonObject;
  /** How the text of an error begins. */
  readonly error?: string;
  /** How the text of the result ends. */
  readonly notice?: string;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (programs: {
  readonly command: [string, ...string[]];
  readonly timeoutMs: number;
}) => {
  readonly factory: McpServerFactory;
  readonly controls?: { readonly tools: { enable(name: string): void } };
  close(): Promise<void>;
};

/** Long enough for a program on this machine, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Where a program does not end, nothing is won by waiting for it. */
const SHORT_TIMEOUT_MS = 50;

/** Registers a test for each case. A program of the tests runs instead of every other. */
export async function testPrograms(
  test: SkippingRegistry,
  { items }: ProgramsContract,
  createServer: CreateServer,
): Promise<void> {
  const standIn = await StandIn.open();
  const patient = await openServer(items, createServer, standIn, TIMEOUT_MS);
  const impatient = await openServer(items, createServer, standIn, SHORT_TIMEOUT_MS);
  test.after(async () => {
    await patient.close();
    await impatient.close();
    await standIn.close();
  });
  for (const { name, stub, cases } of items) {
    for (const one of cases) {
      const title = `${name}: ${testText(one.name)}`;
      const server = one.program.isEndless === true ? impatient : patient;
      const call = async (): Promise<JsonObject> => {
        await standIn.play(one.program);
        return server.request("tools/call", { name, arguments: one.arguments });
      };
      const run = async (): Promise<void> => {
        const result = await call();
        // What was ended early may not have said all of how it was run.
        expectOutcome(result, one, one.run === undefined ? undefined : await standIn.seen());
      };
      if (stub !== undefined && textIn(await call()) === stub) skip(test, title, stub);
      else test(title, run);
    }
  }
}

interface OpenServer {
  request(method: string, parameters: JsonObject): Promise<JsonObject>;
  close(): Promise<void>;
}

async function openServer(
  items: readonly ProgramContract[],
  createServer: CreateServer,
  { command }: StandIn,
  timeoutMs: number,
): Promise<OpenServer> {
  const server = createServer({ command, timeoutMs });
  for (const { name, enabled } of items) {
    if (enabled === false) server.controls?.tools.enable(name);
  }
  const connection = await Connection.open(server.factory, "modern");
  return {
    request: (method, parameters) => connection.request(method, parameters),
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}

/** The text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = (result["content"] ?? []) as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(
  result: JsonObject,
  { name, run, result: parts, error, notice }: ProgramCase,
  seen: SeenRun | undefined,
): void {
  const said = textIn(result);
  if (run !== undefined) {
    expectThat(seen !== undefined, `${name}: no program was run: ${said}`);
    expectEqual(seen, run, name);
  }
  if (notice !== undefined) {
    expectThat(said.includes(notice), `${name}: expected ${notice} at the end of the text`);
  }
  if (error !== undefined) {
    expectEqual(result["isError"], true, `${name}: isError`);
    expectThat(said.startsWith(error), `${name}: expected an error ${error}, got ${said}`);
  } else if (parts !== undefined) expectParts(result, parts, name);
  else expectThat(result["isError"] !== true, `${name}: ${said}`);
}
