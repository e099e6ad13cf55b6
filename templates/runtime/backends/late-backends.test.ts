import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HandlerContext } from "../context/context.js";
import { Connection } from "../suite/clients/connection.js";
import { createServer, defineTool, defineServer } from "../server/define-server.js";
import { stdio } from "../stdio.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-late-"));
test.after(() => rm(folder, { recursive: true }));

type Context = HandlerContext<object, undefined>;

const toolOf = (handler: (input: object, ctx: Context) => Promise<string>) =>
  defineTool<object, string, Context>({
    definition: { name: "demo", inputSchema: { type: "object" } },
    validators: async () => ({ input: () => true }),
    handler: async () => handler,
  });

async function answerOf(
  handler: (input: object, ctx: Context) => Promise<string>,
  mock = false,
): Promise<unknown> {
  const info = { name: "demo", version: "1.0.0" };
  const server = defineServer({ info, transports: [stdio()], tools: [toolOf(handler)] });
  const running = await createServer(server, { root: folder, mock });
  const connection = await Connection.open(running.factory, "modern");
  try {
    const { content } = await connection.request("tools/call", { name: "demo", arguments: {} });
    return (content as readonly { readonly text?: string }[])[0]?.text;
  } finally {
    await connection.close();
    await running.close();
  }
}

test("handlers can run programs and read directories although the server's definition names no parts for them", async () => {
  await writeFile(join(folder, "note.md"), "# note");
  const ran = await answerOf(async (_input, { programs }) =>
    (await programs.run([process.execPath, "-p", "1 + 1"])).text(),
  );
  assert.is(ran, "2\n");
  const read = await answerOf(async (_input, { directories }) => {
    const directory = directories.open(".");
    const [listed] = await directory.list();
    const completed = await directory.complete("NO");
    const { text = "" } = (await directory.read("note.md")) as { readonly text?: string };
    return [listed?.mimeType, completed, text].join(" ");
  });
  assert.is(read, "text/markdown note.md # note");
});

test("in mock mode handlers start no program", async () => {
  const answer = await answerOf(
    async (_input, { programs }) => (await programs.run(["touch", "made"])).text(),
    true,
  );
  assert.match(String(answer), /not run in mock mode|mock/);
});

test.run();
