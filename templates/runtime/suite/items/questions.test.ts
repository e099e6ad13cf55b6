import type { FormElicitation } from "../../asking/definition.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createAsking } from "../../asking/asking.js";
import { serverMaker } from "../server-maker.js";
import type { ServerDefinition } from "../../engine/definition.js";
import type { Asks } from "../../asking/definition.js";
import type { QuestionsContract } from "./question-contract.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { testQuestions } from "./questions.js";
import { askingParts, sampleAsks } from "../../samples/asking.js";
import { erased, sampleServer, tool } from "../../samples/server.js";

/** Runs the suite of questions against a right server and wrong ones. */

const unwritten = erased(() => {
  throw new Error("the tests must not reach this handler");
});

function serverThat(asks: Asks, createAskingHere = createAsking): ServerDefinition {
  return {
    ...sampleServer,
    ...askingParts,
    createHandlerRunner: createAskingHere,
    tools: [tool("deploy", unwritten, { asks })],
    prompts: [{ definition: { name: "plan" }, handler: () => unwritten, asks }],
  };
}

const { confirm, pay } = sampleAsks.elicitations;
const form = confirm as FormElicitation;
const asks: Asks = { elicitations: { confirm: form, pay }, sampling: true };

const item = {
  questions: [
    {
      key: "confirm",
      values: { env: "test {{env}}" },
      params: {
        message: "Deploy to test {{env}}?",
        requestedSchema: {
          type: "object",
          properties: { ok: { type: "boolean" } },
          required: ["ok"],
        },
      },
      accepted: [{ content: { ok: true, more: 1 }, received: { ok: true } }],
      refused: [{ breaks: "required at /", value: {} }],
    },
    {
      key: "pay",
      values: { what: "a/b" },
      params: {
        mode: "url",
        message: "Pay for a/b",
        url: "https://pay.example.com/?for=a%2Fb",
      },
      accepted: [],
      refused: [],
    },
  ],
  sampling: true,
  roots: false,
};

const contract: QuestionsContract = {
  items: [
    {
      ...item,
      kind: "tool",
      name: "deploy",
      request: { method: "tools/call", params: { name: "deploy", arguments: {} } },
    },
    {
      ...item,
      kind: "prompt",
      name: "plan",
      request: { method: "prompts/get", params: { name: "plan" } },
    },
  ],
};

/** Returns the messages of the tests that fail with this server. */
async function failuresOf(definition: ServerDefinition): Promise<string[]> {
  const runs: (() => Promise<void>)[] = [];
  const ends: (() => Promise<void>)[] = [];
  const registry: TestRegistry = Object.assign(
    (_title: string, run: () => Promise<void>) => void runs.push(run),
    { after: (run: () => Promise<void>) => void ends.push(run) },
  );
  testQuestions(registry, contract, serverMaker(definition, ".") as never);
  const failures: string[] = [];
  for (const run of runs) await run().catch((error: unknown) => failures.push(String(error)));
  for (const end of ends) await end();
  return failures;
}

test("a server that asks as its manifest says passes", async () => {
  assert.equal(await failuresOf(serverThat(asks)), []);
});

test("each wrong question makes a test fail", async () => {
  const wrong: Record<string, Asks> = {
    "another message": {
      ...asks,
      elicitations: { pay, confirm: { ...form, message: ["Deploy?"] } },
    },
    "another form": {
      ...asks,
      elicitations: {
        pay,
        confirm: { ...form, requestedSchema: { ...form.requestedSchema, title: "x" } },
      },
    },
    "answers that are not checked": {
      ...asks,
      elicitations: { pay, confirm: { ...form, validator: () => () => true } },
    },
    "answers that are never accepted": {
      ...asks,
      elicitations: { pay, confirm: { ...form, validator: () => () => false } },
    },
    "another page": {
      ...asks,
      elicitations: { confirm: form, pay: { ...pay, url: ["https://x.example"] } } as never,
    },
    "a question that is missing": { ...asks, elicitations: { confirm: form } },
    "a question too many": { ...asks, elicitations: { ...asks.elicitations, more: form } },
    "no sampling": { elicitations: { confirm: form, pay } },
    "roots too": { ...asks, roots: true },
  };
  for (const [what, one] of Object.entries(wrong)) {
    assert.ok((await failuresOf(serverThat(one))).length > 0, what);
  }
  const { createHandlerRunner: _none, ...unable } = serverThat(asks);
  assert.ok((await failuresOf(unable)).length > 0, "handlers that cannot ask");
});

test.run();
