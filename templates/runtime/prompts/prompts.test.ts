import { test } from "uvu";
import * as assert from "uvu/assert";
import type { GetPromptResult } from "@modelcontextprotocol/server";
import { image, text } from "../engine/content.js";
import { ProtocolError } from "../index.js";
import { caller, refusal, sampleEngine, type SampleEngine } from "../samples/engine.js";
import { erased } from "../samples/server.js";

const engine = sampleEngine();

async function get(
  name: string,
  args?: unknown,
  using: SampleEngine = engine,
): Promise<GetPromptResult> {
  const parameters = { name, ...(args === undefined ? {} : { arguments: args }) };
  return (await using.prompts.get(parameters, caller)) as GetPromptResult;
}

function handledBy(handler: (input: Record<string, string>) => unknown): SampleEngine {
  const code = erased(handler);
  return sampleEngine({ prompts: [{ definition: { name: "only" }, handler: () => code }] });
}

test("messages are rendered as in the manifest, and values are inserted once", async () => {
  assert.equal(await get("plan_trip", { city: "Oslo", style: "{{city}} $&" }), {
    description: "Plan a trip.",
    messages: [{ role: "user", content: text("Plan a trip to Oslo, travelling {{city}} $&.") }],
  });
  const { messages } = await get("plan_trip", { city: "" });
  assert.equal(messages[0]?.content, text("Plan a trip to ."));
});

test("unknown prompts, and arguments that are missing, unknown or not a text, are refused", async () => {
  for (const name of ["nope", "constructor", "__proto__"]) await refusal(-32602, () => get(name));
  assert.match(await refusal(-32602, () => get("plan_trip")), /Missing argument "city"/);
  assert.match(
    await refusal(-32602, () => get("plan_trip", { city: "a", x: "b" })),
    /Unknown argument "x"/,
  );
  assert.match(await refusal(-32602, () => get("plan_trip", { city: 3 })), /must be a string/);
  const proto = JSON.parse('{"city":"a","__proto__":"b"}');
  assert.match(
    await refusal(-32602, () => get("plan_trip", proto)),
    /Unknown argument "__proto__"/,
  );
  for (const args of [[], "x", null]) await refusal(-32602, () => get("plan_trip", args));
});

test("every allowed result of a handler is answered", async () => {
  assert.equal(await get("summary", { topic: "tides" }), {
    description: "Sum up.",
    messages: [{ role: "user", content: text("Sum up tides.") }],
  });
  const picture = { role: "assistant", content: image("AQID", "image/png") };
  assert.equal(
    await get(
      "only",
      {},
      handledBy(() => [picture]),
    ),
    { messages: [picture] },
  );
  assert.equal(
    await get(
      "only",
      {},
      handledBy(() => ({ description: "d", messages: [picture] })),
    ),
    {
      description: "d",
      messages: [picture],
    },
  );
});

test("a wrong result or an error of a handler is an internal error without details", async () => {
  for (const returned of [
    undefined,
    3,
    {},
    [{ role: "system", content: text("a") }],
    [text("a")],
  ]) {
    const message = await refusal(-32603, () =>
      get(
        "only",
        {},
        handledBy(() => returned),
      ),
    );
    assert.is(message, "Prompt only returned neither text nor messages");
  }
  const failing = handledBy(() => Promise.reject(new Error("hunter2")));
  assert.match(
    await refusal(-32603, () => get("only", {}, failing)),
    /^Internal error \(reference/,
  );
});

test("a handler refuses an argument by an error of the protocol", async () => {
  const refusing = handledBy(() => Promise.reject(new ProtocolError(-32602, "There is no team x")));
  assert.is(await refusal(-32602, () => get("only", {}, refusing)), "There is no team x");
});

test.run();
