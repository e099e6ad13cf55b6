import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { emit } from "../5-emit/emit.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { createCompletion } from "../../templates/runtime/completion.js";
import { createServer, type RunningServer } from "../../templates/runtime/create-server.js";
import type { ServerDefinition } from "../../templates/runtime/definition.js";
import { createScopes } from "../../templates/runtime/item-scopes.js";
import { createLog } from "../../templates/runtime/log.js";
import { createPrompts } from "../../templates/runtime/prompts.js";
import { createResources } from "../../templates/runtime/resources.js";
import { closeAll, connectTo, type Era } from "../../templates/runtime/testing/harness.js";
import { checkedManifest } from "./checked-manifest.js";
import { EmittedModules } from "./emitted-modules.js";
import { randomManifest } from "./random-manifest.js";

/** From a manifest to the wire and back: the official client reads a generated server's lists, and they are the manifest's. */

const ROUNDS = 15;

/** What is the protocol's in each list; the rest is mcpwright's. */
const PROTOCOL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  tools: "name title description inputSchema outputSchema annotations icons _meta".split(" "),
  resources: "uri name title description mimeType size annotations icons _meta".split(" "),
  resourceTemplates: "uriTemplate name title description mimeType annotations icons _meta".split(
    " ",
  ),
  prompts: "name title description arguments icons _meta".split(" "),
};

test.after(closeAll);

test("what clients of both eras read is what the manifest says", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const manifest = randomManifest(seed);
    const server = await serverOf(manifest);
    for (const era of ["modern", "legacy"] as const) {
      assert.equal(await readBack(server, era), written(manifest), `seed ${seed}, ${era}`);
    }
    await server.close();
  }
});

/** The lists of a manifest as it writes them, without what starts switched off. */
function written(manifest: JsonObject): JsonObject {
  const lists = Object.entries(PROTOCOL_FIELDS).map(([list, fields]) => {
    const items = (manifest[list] as JsonObject[]).filter(({ enabled }) => enabled !== false);
    return [list, items.map((item) => protocolPart(list, item, fields))];
  });
  return Object.fromEntries(lists) as JsonObject;
}

function protocolPart(list: string, item: JsonObject, fields: readonly string[]): JsonObject {
  const own = fields.filter((field) => item[field] !== undefined);
  const kept = Object.fromEntries(own.map((field) => [field, item[field]!]));
  // The schema of a tool without arguments may be left out of a manifest, but not of the list.
  if (list === "tools") {
    return { inputSchema: { type: "object", additionalProperties: false }, ...kept };
  }
  const { arguments: declared, ...rest } = kept;
  if (!Array.isArray(declared)) return kept;
  // The official client drops the titles of arguments; contract tests, which read the wire, see them.
  const untitled = declared.filter(isJsonObject).map(({ title: _title, ...argument }) => argument);
  return { ...rest, arguments: untitled };
}

async function serverOf(manifest: JsonObject): Promise<RunningServer> {
  const { model } = checkedManifest(JSON.stringify(manifest));
  const modules = new EmittedModules(await emit(model));
  const { definition } = modules.load("src/generated/server.ts");
  const log = createLog({ write: () => undefined });
  // Modules of the runtime are not loaded with those that were emitted.
  const parts = { createResources, createPrompts, createCompletion, createScopes };
  return createServer({ ...(definition as ServerDefinition), ...parts }, { root: ".", log });
}

async function readBack(server: RunningServer, era: Era): Promise<JsonObject> {
  const client = await connectTo((request) => server.fetch(request), era);
  const capabilities = client.getServerCapabilities() ?? {};
  const lists = Object.keys(PROTOCOL_FIELDS).map(async (list) => {
    const method = list === "resourceTemplates" ? "resources/templates/list" : `${list}/list`;
    const capability = list === "resourceTemplates" ? "resources" : list;
    return [list, capability in capabilities ? await readAll(client, method, list) : []] as const;
  });
  const read = Object.fromEntries(await Promise.all(lists));
  await client.close();
  return read as JsonObject;
}

/** Every page of a list. */
async function readAll(client: Client, method: string, key: string): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  let cursor: JsonValue | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor: cursor as string };
    const page = (await client.request({ method, params } as never)) as JsonObject;
    items.push(...(page[key] as JsonValue[]));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  assert.ok(items.every(isJsonObject));
  return items;
}

test.run();
