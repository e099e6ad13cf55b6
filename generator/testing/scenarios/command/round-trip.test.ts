import { connectTo } from "../../../../templates/runtime/suite/clients/http.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { emit } from "../../../5-emit/emit.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import { changes } from "../../../../templates/runtime/changes.js";
import { parts } from "../../../../templates/runtime/samples/parts.js";
import {
  createServer,
  type RunningServer,
} from "../../../../templates/runtime/server/create-server.js";
import {
  defineServer,
  type ServerSettings,
} from "../../../../templates/runtime/server/define-server.js";
import { loadParts } from "../../../../templates/runtime/server/late-parts.js";
import { createLog } from "../../../../templates/runtime/observe/log.js";
import { closeAll } from "../../../../templates/runtime/suite/clients/harness.js";
import type { Era } from "../../../../templates/runtime/context/context.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { EmittedModules } from "../../harness/projects/emitted-modules.js";
import { randomManifest } from "../../harness/random/random-manifest.js";
import { WireRecord } from "../../harness/clients/wire-record.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/**
 * From a manifest to the wire and back: the official client reads a generated server's lists, and they
 * are the manifest's. So is what is on the wire, where the client lets through less.
 */

const ROUNDS = shortOrLong(8, 40);

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

test("clients of both eras read what the manifest declares", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    // Tools that are found by searching are in no list.
    const { exposure: _exposure, ...manifest } = randomManifest(seed);
    const server = await serverOf(manifest);
    for (const era of ["modern", "legacy"] as const) {
      const { read, wire, about } = await readBack(server, era);
      const lists = written(manifest, era);
      assert.equal(wire, lists, `seed ${seed}, ${era}, on the wire`);
      assert.equal(read, untitled(lists), `seed ${seed}, ${era}`);
      assert.equal(about, aboutServer(manifest), `seed ${seed}, ${era}`);
    }
    await server.close();
  }
});

/** A content block of every kind, with what each may have beside. */
const CONTENT: readonly JsonObject[] = [
  { type: "text", text: "Hello", annotations: { audience: ["user"], priority: 0.5 } },
  { type: "image", data: "AQID", mimeType: "image/png", _meta: { "example.com/a": 1 } },
  { type: "audio", data: "AQID", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "random://text", mimeType: "text/plain", text: "{{who}}" } },
  { type: "resource", resource: { uri: "random://blob", blob: "AQID" } },
  { type: "resource_link", uri: "random://far", name: "far", title: "Far", size: 3 },
];

test("content of every kind arrives as the prompt or the tool declares it", async () => {
  const messages = CONTENT.map((content, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content,
  }));
  const item = { name: "all", description: "Everything." };
  const server = await serverOf({
    name: "content",
    version: "1.0.0",
    tools: [{ ...item, content: [...CONTENT] }],
    prompts: [{ ...item, messages }],
  });
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectTo((request) => server.fetch(request), era);
    assert.equal((await client.getPrompt({ name: "all" })).messages, messages, era);
    assert.equal((await client.callTool({ name: "all" })).content, CONTENT, era);
  }
  await server.close();
});

test("clients read input schemas without a combination at the root, and their valid input fits the manifest", async () => {
  const names = ["city", "zip"];
  const server = await serverOf({
    name: "roots",
    version: "1.0.0",
    tools: [
      {
        name: "find",
        description: "Finds a place.",
        inputSchema: {
          type: "object",
          properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
          additionalProperties: false,
          oneOf: names.map((name) => ({ required: [name] })),
        },
        content: [{ type: "text", text: "Found." }],
      },
    ],
  });
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectTo((request) => server.fetch(request), era);
    const [tool] = (await client.listTools()).tools;
    assert.equal(Object.keys(tool?.inputSchema ?? {}).sort(), [
      "additionalProperties",
      "description",
      "properties",
      "type",
    ]);
    const call = (arguments_: Record<string, string>) =>
      client.callTool({ name: "find", arguments: arguments_ });
    assert.not((await call({ city: "Bern" })).isError);
    const both = await call({ city: "Bern", zip: "3000" }).then(
      ({ isError }) => isError,
      () => true,
    );
    assert.is(both, true, era);
  }
  await server.close();
});

/** The lists of a manifest as it writes them, without what starts switched off. */
function written(manifest: JsonObject, era: Era): Lists {
  const entries = Object.entries(PROTOCOL_FIELDS).map(([list, fields]) => {
    const items = (manifest[list] as JsonObject[]).filter(({ enabled }) => enabled !== false);
    return [list, items.map((item) => protocolPart(item, fields, manifest, era))] as const;
  });
  return Object.fromEntries(entries);
}

function protocolPart(
  item: JsonObject,
  fields: readonly string[],
  manifest: JsonObject,
  era: Era,
): JsonObject {
  const own = fields.filter((field) => item[field] !== undefined);
  const kept = Object.fromEntries(own.map((field) => [field, item[field]!]));
  if (!fields.includes("inputSchema")) return kept;
  const { inputSchema, outputSchema, ...rest } = kept as Record<string, JsonObject>;
  // The schema of a tool without arguments may be left out of a manifest, but not of the list.
  const input = inputSchema ?? { type: "object", additionalProperties: false };
  const shown = manifest["schemaRefs"] === "verbatim" ? input : { properties: {}, ...input };
  const listed = (schema: JsonObject): JsonObject => {
    const whole = withShared(schema, manifest);
    return manifest["schemaRefs"] === "verbatim" ? whole : (withTypes(whole) as JsonObject);
  };
  const output = outputSchema && listed(outputSchema);
  return {
    ...rest,
    inputSchema: listed(shown),
    ...(output && { outputSchema: era === "legacy" ? withObjectRoot(output) : output }),
  };
}

/** The types that lists show beside the values of `enum` and `const` in random manifests, which have none. */
const TYPES_OF_VALUES: Readonly<Record<string, JsonValue>> = {
  '["a","b",null]': ["string", "null"],
  '["km","mi"]': "string",
  "7": "integer",
};

function withTypes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withTypes);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withTypes(member)]);
  const copy = Object.fromEntries(members) as JsonObject;
  const type = TYPES_OF_VALUES[JSON.stringify(value["enum"] ?? value["const"])];
  return type === undefined || value["type"] !== undefined ? copy : { ...copy, type };
}

/** A schema with the shared one that it refers to, as `schemaRefs` wants it. */
function withShared(schema: JsonObject, { schemas, schemaRefs }: JsonObject): JsonObject {
  const { Shared: shared } = schemas as { Shared: JsonObject };
  const reference = "#/schemas/Shared";
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonObject>);
  if (!properties.some(([, property]) => property["$ref"] === reference)) return schema;
  const replaced = properties.map(([name, property]) => {
    const { $ref, ...own } = property;
    if ($ref !== reference) return [name, property];
    return [
      name,
      schemaRefs === "inline" ? { ...shared, ...own } : { ...own, $ref: "#/$defs/Shared" },
    ];
  });
  const defs = schema["$defs"] as JsonObject;
  return {
    ...schema,
    properties: Object.fromEntries(replaced) as JsonObject,
    $defs: schemaRefs === "inline" ? defs : { ...defs, Shared: shared },
  };
}

/** The older eras know objects only: what else there is stands under a name. */
function withObjectRoot(schema: JsonObject): JsonObject {
  if (schema["type"] === "object") return schema;
  return { type: "object", properties: { result: schema }, required: ["result"] };
}

/** The official client drops the titles of arguments. */
function untitled({ prompts, ...lists }: Lists): Lists {
  const stripped = prompts!.map(({ arguments: declared, ...prompt }) => {
    if (!Array.isArray(declared)) return prompt;
    const names = declared.filter(isJsonObject).map(({ title: _title, ...argument }) => argument);
    return { ...prompt, arguments: names };
  });
  return { ...lists, prompts: stripped };
}

/** What a manifest says of the server as a whole. */
function aboutServer({ instructions, ...manifest }: JsonObject): JsonObject {
  const fields = ["name", "version", "title", "description", "websiteUrl", "icons"];
  const own = fields.filter((field) => manifest[field] !== undefined);
  const server = Object.fromEntries(own.map((field) => [field, manifest[field]!]));
  return { server, ...(instructions !== undefined && { instructions }) };
}

async function serverOf(manifest: JsonObject): Promise<RunningServer> {
  const { model } = checkedManifest(JSON.stringify(manifest));
  const modules = new EmittedModules(await emit(model));
  const { server } = modules.load("src/generated/server.ts");
  const {
    auth: _auth,
    resource: _resource,
    ...settings
  } = server as ServerSettings<object, object>;
  // Modules of the runtime are not loaded with those that were emitted.
  // The items were not made by the functions of the runtime, and bring no parts.
  const stated = defineServer({ ...settings, transports: [], use: [() => parts, changes()] });
  const definition = await loadParts(stated.definition);
  const log = createLog({ write: () => undefined });
  return createServer(definition, { root: ".", log });
}

type Lists = Readonly<Record<string, readonly JsonObject[]>>;

interface ReadBack {
  /** What the client made of the lists. */
  readonly read: Lists;
  /** What came to it. */
  readonly wire: Lists;
  readonly about: JsonObject;
}

async function readBack(server: RunningServer, era: Era): Promise<ReadBack> {
  const record = new WireRecord((url, init) => server.fetch(new Request(url, init)));
  const client = await connectTo((request) => record.fetch(request), era);
  const capabilities = client.getServerCapabilities() ?? {};
  const read: Record<string, readonly JsonObject[]> = {};
  for (const list of Object.keys(PROTOCOL_FIELDS)) {
    const method = list === "resourceTemplates" ? "resources/templates/list" : `${list}/list`;
    const capability = list === "resourceTemplates" ? "resources" : list;
    read[list] = capability in capabilities ? await readAll(client, method, list) : [];
  }
  const instructions = client.getInstructions();
  const about = {
    server: client.getServerVersion() as JsonObject,
    ...(instructions !== undefined && { instructions }),
  };
  await client.close();
  return { read, wire: listsIn(record), about };
}

/** Every page that came, in the order in which they came. */
function listsIn(record: WireRecord): Lists {
  const pages = record.messages().map(({ message }) => (message["result"] ?? {}) as JsonObject);
  const lists = Object.keys(PROTOCOL_FIELDS).map(
    (list) => [list, pages.flatMap((page) => (page[list] ?? []) as JsonObject[])] as const,
  );
  return Object.fromEntries(lists);
}

/** Every page of a list. */
async function readAll(client: Client, method: string, key: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let cursor: JsonValue | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor: cursor as string };
    const page = (await client.request({ method, params } as never)) as JsonObject;
    items.push(...(page[key] as JsonObject[]));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  return items;
}

test.run();
