import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CollectedTests } from "../../samples/collected-tests.js";
import type { ServerContract } from "../contract.js";
import { testStdio } from "./stdio.js";

const folder = mkdtempSync(join(tmpdir(), "stdio-suite-"));
test.after(() => rmSync(folder, { recursive: true }));

/** A server that answers the handshake of the older eras. */
const SERVER = `
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.trim().split("\\n")) {
    const { id, params } = JSON.parse(line);
    if (id === undefined) continue;
    const { protocolVersion } = params;
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: "demo", version: "1.0.0" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
});
`;

/** The findings of the suite about a server of the older eras with this code. */
async function findings(code: string): Promise<string[]> {
  const program = join(folder, "server.mjs");
  writeFileSync(program, code);
  const contract: ServerContract = {
    project: {
      folder: pathToFileURL(`${folder}/`),
      entry: [program, "unused"],
      context: pathToFileURL(program),
    },
    info: { name: "demo", version: "1.0.0" },
    protocol: { legacy: "serve" },
    ...{ transports: [{ type: "stdio" }], env: [], capabilities: {}, settings: {}, lists: [] },
    contracts: {},
  };
  const collected = new CollectedTests();
  testStdio(collected.registry, contract);
  const ofModern = collected.tests.findIndex(({ title }) => title.includes("modern"));
  collected.tests.splice(ofModern, 1);
  return collected.failures();
}

test("a server that writes messages alone and ends with its input passes", async () => {
  assert.equal(await findings(SERVER), []);
});

test("lines that are no messages and another exit status are found", async () => {
  const title = "stdio has only messages of the protocol, and the server ends with its input";
  const [printed = "", ...others] = await findings(
    `${SERVER}process.stdin.on("end", () => process.stdout.write("{}\\nlast words"));`,
  );
  assert.equal(others, []);
  assert.ok(printed.startsWith(title), printed);
  assert.match(printed, /lines that are no messages/);
  for (const line of ["{}", "last words"]) assert.match(printed, line);
  const [failed = "", ...more] = await findings(
    `${SERVER}process.stdin.on("end", () => process.exit(3));`,
  );
  assert.equal(more, []);
  assert.match(failed, /exit status/);
});

test.run();
