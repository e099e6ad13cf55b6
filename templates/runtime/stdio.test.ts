import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { image } from "./content.js";
import { createServer } from "./create-server.js";
import type { ServerDefinition } from "./definition.js";
import { createLog } from "./log.js";
import { serveStdio } from "./stdio.js";
import { erased, tool } from "./testing/sample-server.js";

const definition: ServerDefinition = {
  info: { name: "stdio", version: "1.0.0" },
  protocol: { legacy: "serve" },
  transports: [{ type: "stdio" }],
  env: [],
  tools: [
    tool(
      "plain",
      erased(() => "plain"),
    ),
    tool(
      "picture",
      erased(async () => image("AQID", "image/png")),
    ),
    tool(
      "talkative",
      erased((_input, ctx) => {
        ctx.log.info("said");
        return "done";
      }),
    ),
  ],
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

interface Sent {
  readonly id?: number;
  readonly method?: string;
  readonly error?: object;
}

/** A client of a server of its own. */
function connect(fastPath: boolean) {
  const log = createLog({ write: () => undefined });
  const server = createServer(definition, { root: process.cwd(), log, fastPath });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    const served = serveStdio(server, output, () => void served.close().then(resolve), input);
  });
  const sent = (): Sent[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Sent);
  return {
    sent,
    send: (...messages: object[]) =>
      input.write(
        messages.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""),
      ),
    /** Resolves when a request is answered. */
    answered: async (id: number) => {
      while (!sent().some((one) => one.id === id)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Closes the client's end, and resolves when the server has ended. */
    end: async () => {
      input.end();
      await ended;
    },
  };
}

const opening = [
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "probe", version: "1" },
    },
  },
  { method: "notifications/initialized" },
];

for (const fastPath of [true, false]) {
  const way = fastPath ? "without the SDK" : "with the SDK";

  test(`what came before the end of the input is answered, ${way}`, async () => {
    const client = connect(fastPath);
    client.send(
      ...opening,
      { id: 1, method: "tools/call", params: { name: "plain" } },
      { id: 2, method: "tools/call", params: { name: "picture" } },
      { id: 3, method: "tools/call", params: { name: "none" } },
    );
    await client.end();
    const ids = client.sent().map(({ id }) => id);
    assert.equal(ids.sort(), [0, 1, 2, 3]);
  });

  for (const more of [{ _meta: { progressToken: 1 } }, { other: 1 }]) {
    const key = Object.keys(more).join();
    test(`a level that is asked for with ${key} holds for every call, ${way}`, async () => {
      const client = connect(fastPath);
      client.send(...opening, {
        id: 1,
        method: "logging/setLevel",
        params: { level: "error", ...more },
      });
      await client.answered(1);
      client.send({ id: 2, method: "tools/call", params: { name: "talkative" } });
      await client.answered(2);
      await client.end();
      assert.equal(
        client.sent().filter(({ method, error }) => method ?? error),
        [],
      );
    });
  }
}

test.run();
