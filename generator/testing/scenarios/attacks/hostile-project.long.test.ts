import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { validManifest } from "../../../model/loaded-manifest.js";
import type { Manifest, ManifestPrompt, ManifestTool } from "../../../model/manifest.js";
import type { ServerModel } from "../../../model/server-model.js";
import { testProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { everyHostileManifest } from "../../harness/random/hostile-manifests.js";
import { fitted, PAYLOADS } from "../../harness/random/hostile-text.js";
import { manifestText } from "../../harness/oracles/injection-oracle.js";
import { connectStdio } from "../../harness/clients/project-clients.js";
import { slottedManifest } from "../../harness/random/slotted-manifest.js";

/** Strings that would like to be code, through the whole life of one project. */

/** So many of the payloads stand in each slot, in turn, that every one stands in some. */
const PAYLOADS_A_SLOT = 7;

const filling = new Map<string, string>();

/** The manifest with a hostile string in every slot, and the tools and prompts of the known cases. */
function hostileManifest(): Manifest {
  const manifest = slottedManifest((slot, kind) => {
    const start = filling.size * PAYLOADS_A_SLOT;
    const parts = Array.from({ length: PAYLOADS_A_SLOT }, (_, index) => {
      return PAYLOADS[(start + index) % PAYLOADS.length];
    });
    const text = fitted(`${filling.size}${parts.join("")}`, kind);
    filling.set(slot, text);
    return text;
  });
  const { tools, prompts } = knownCases();
  return {
    ...manifest,
    tools: [...(manifest.tools ?? []), ...tools],
    prompts: [...(manifest.prompts ?? []), ...prompts],
  };
}

function knownCases(): { tools: ManifestTool[]; prompts: ManifestPrompt[] } {
  const valid = everyHostileManifest().flatMap(({ id, outcome, content }) => {
    if (!/^(?:ESCAPE|WARN)/.test(outcome)) return [];
    const { manifest } = loadManifest("mcp.yaml", content);
    if (manifest === undefined) return [];
    const diagnostics = validateManifest(manifest);
    if (diagnostics.some(({ severity }) => severity === "error")) return [];
    return [{ id, manifest: validManifest(manifest.value) }];
  });
  // These names are those of the cases' tools and prompts; all else is the manifest that they stand in.
  const own = <Item extends { name: string }>(
    id: string,
    items: Item[] = [],
    names: readonly string[],
  ): Item[] =>
    items
      .filter((item) => names.includes(item.name))
      .map((item) => ({ ...item, name: `case_${id}` }));
  return {
    tools: valid.flatMap(({ id, manifest }) => own(id, manifest.tools, ["a", "find_book"])),
    prompts: valid.flatMap(({ id, manifest }) => own(id, manifest.prompts, ["p"])),
  };
}

// What the test runner itself would write.
process.env["NO_COLOR"] = "1";

/** Whatever would act on a terminal. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

test("a project of hostile strings passes its tests and returns every string unchanged", async () => {
  const manifest = hostileManifest();
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-hostile-"));
  try {
    await writeFile(join(folder, "mcp.yaml"), manifestText(manifest));
    await writeFile(join(folder, slot("resource.file")), slot("resource.text"));
    const { status, out, err } = await mcpwright(folder, "generate");
    assert.is(status, 0, out + err);
    assert.not.match(out + err, CONTROLS);
    await installShared(folder);
    assert.not.match(await testProject(folder), CONTROLS);

    const client = await connectStdio(folder, "modern", { CODE: "x" }, ["--mock"]);
    try {
      await checkLists(client, manifest);
      await checkAnswers(client);
      await checkPrompts(client, manifest);
    } finally {
      await client.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function slot(name: string): string {
  const text = filling.get(name);
  if (text === undefined) throw new Error(`no slot is called ${name}`);
  return text;
}

async function checkLists(client: Client, manifest: Manifest): Promise<void> {
  const model: ServerModel = normalize(manifest);
  const raw = rawResults(client);
  const { tools } = await client.listTools();
  await client.listResources();
  await client.listResourceTemplates();
  await client.listPrompts();
  const lists = ["tools", "resources", "resourceTemplates", "prompts"] as const;
  for (const [index, list] of lists.entries()) {
    const wire = model[list].map((item) => item.wire);
    assert.is(JSON.stringify(raw[index]?.[list]), JSON.stringify(wire), list);
  }
  assert.equal(
    tools.map(({ description }) => description),
    manifest.tools?.map(({ description }) => description),
  );
  assert.is(client.getInstructions(), manifest.instructions);
  const { title, description, icons } = manifest;
  const server = client.getServerVersion();
  assert.equal(
    { title: server?.title, description: server?.description, icons: server?.icons },
    { title, description, icons },
  );
}

/** The results as they arrive from now on: the client itself leaves out what it does not know. */
function rawResults(client: Client): Record<string, unknown>[] {
  const results: Record<string, unknown>[] = [];
  const { transport } = client;
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) throw new Error("not connected");
  transport.onmessage = (message, extra) => {
    if ("result" in message) results.push(message.result);
    receive(message, extra);
  };
  return results;
}

async function checkAnswers(client: Client): Promise<void> {
  const fixed = await client.callTool({ name: "fixed", arguments: { who: "{{who}} $&" } });
  const [text, resource, link] = fixed.content as Record<string, unknown>[];
  assert.is(text?.["text"], slot("fixed.text"));
  assert.is((resource?.["resource"] as { text?: string }).text, slot("fixed.resource.text"));
  assert.is(link?.["title"], slot("fixed.link.title"));
  assert.equal(fixed.structuredContent, {
    [slot("fixed.structured.key")]: slot("fixed.structured.value"),
  });
  const result = await client.callTool({ name: "told", arguments: {} });
  assert.equal(result.content, [{ type: "text", text: slot("told.examples.text") }]);
  const failing = await client.callTool({ name: "failing", arguments: {} });
  assert.equal(failing.content, [{ type: "text", text: slot("failing.examples.error") }]);
  for (const uri of ["demo://text", "demo://file"]) {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents, [{ uri, mimeType: "text/plain", text: slot("resource.text") }]);
  }
}

async function checkPrompts(client: Client, manifest: Manifest): Promise<void> {
  const who = "{{why}} $& ${who}";
  const prompt = await client.getPrompt({ name: "say", arguments: { who, why: "{{who}}" } });
  assert.equal(
    prompt.messages.map(({ content }) => content),
    [
      { type: "text", text: `${slot("prompt.text")} ${who} ${slot("prompt.section")}` },
      { type: "resource", resource: { uri: "demo://text", text: slot("prompt.resource.text") } },
    ],
  );
  for (const { name, arguments: declared = [], messages = [] } of manifest.prompts ?? []) {
    if (!name.startsWith("case_")) continue;
    const values = Object.fromEntries(declared.map((argument) => [argument.name, who]));
    const { messages: got } = await client.getPrompt({ name, arguments: values });
    const texts = messages.map(({ content }) =>
      String(content["text"]).replaceAll("{{who}}", () => who),
    );
    assert.equal(
      got.map(({ content }) => content),
      texts.map((text) => ({ type: "text", text })),
    );
  }
  const ref = { type: "ref/prompt", name: `ask ${slot("prompt.name")}` } as const;
  const argument = { name: `topic ${slot("prompt.argument.name")}`, value: "" };
  const { completion } = await client.complete({ ref, argument });
  assert.equal(completion.values, [slot("prompt.complete.0"), slot("prompt.complete.1")]);
}

test.run();
