import type { McpServerFactory } from "@modelcontextprotocol/server";
import { Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import { StandIn, type SeenRun, type StandInAnswer } from "../clients/stand-in.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectThat, testText } from "../expectation.js";
import { expectMatching, type ValueMatcher } from "../matching.js";
import { skip } from "../starter.js";

/** The contract of tools whose bodies run programs. */
export interface ProgramsContract {
  readonly items: readonly ProgramContract[];
}

export interface ProgramContract {
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: boolean;
  /** The answer of a handler until it is written; absent if there is a body. */
  readonly stub?: string;
  readonly cases: readonly ProgramCase[];
}

/** How a program must be run. */
export type ExpectedRun = SeenRun;

/** A call, the behaviour of the program, and the expected result. */
export interface ProgramCase {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly program: StandInAnswer;
  readonly run?: ExpectedRun;
  /**
   * The members of the result that follow from the manifest. If it is absent and no error is expected, any result but
   * an error is right.
   */
  readonly result?: JsonObject;
  /** What holds for values of the result that differ from call to call. */
  readonly matches?: readonly ValueMatcher[];
  /** The beginning of the error's text. */
  readonly error?: string;
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

/** The usual time limit, in milliseconds. A program on this machine ends earlier. */
const TIMEOUT_MS = 30_000;

/** Registers a test for each case. A program of the tests replaces all programs. */
export async function testPrograms(
  test: SkippingRegistry,
  { items }: ProgramsContract,
  createServer: CreateServer,
): Promise<void> {
  const standIn = await StandIn.open();
  const server = await openServer(items, createServer, standIn);
  test.after(async () => {
    await server.close();
    await standIn.close();
  });
  for (const { name, stub, cases } of items) {
    for (const one of cases) {
      const title = `${name}: ${testText(one.name)}`;
      const call = async (): Promise<JsonObject> => {
        await standIn.play(one.program);
        return server.request("tools/call", { name, arguments: one.arguments });
      };
      const run = async (): Promise<void> => {
        const result = await call();
        expectOutcome(result, one, await standIn.seen());
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
): Promise<OpenServer> {
  const server = createServer({ command, timeoutMs: TIMEOUT_MS });
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

/** Returns the text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = (result["content"] ?? []) as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(
  result: JsonObject,
  { name, run, result: parts, matches, error }: ProgramCase,
  seen: SeenRun | undefined,
): void {
  const message = textIn(result);
  if (run !== undefined) {
    expectThat(seen !== undefined, `${name}: no program was run: ${message}`);
    expectEqual(seen, run, name);
  }
  if (error !== undefined) {
    expectEqual(result["isError"], true, `${name}: isError`);
    expectThat(message.startsWith(error), `${name}: expected an error ${error}, got ${message}`);
  } else if (parts !== undefined) expectMatching(result, parts, matches, name);
  else expectThat(result["isError"] !== true, `${name}: ${message}`);
}
