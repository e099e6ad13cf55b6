import { expectCompletion } from "./completions.js";
import type { PromptContract, PromptsContract } from "./prompt-contract.js";
import { expectEqual, shown } from "../expectation.js";
import {
  listedAtFirst,
  ProbedServer,
  type CreateServer,
  type TestRegistry,
} from "../clients/probed-server.js";

const probed = [{ role: "assistant", content: { type: "text", text: "the probe's answer" } }];

const promptList = { method: "prompts/list", key: "prompts" };

/** Registers the tests of all prompts: their list, arguments and fixed messages. */
export function testPrompts(
  test: TestRegistry,
  { list, prompts, settings }: PromptsContract,
  createServer: CreateServer,
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());

  test("prompts/list is what the manifest says", async () => {
    await server.expectList(promptList, listedAtFirst(list, prompts), settings);
    server.enable("prompts", prompts);
  });
  test("a prompt that does not exist is refused", async () => {
    for (const name of ["no such prompt", "constructor", "__proto__"]) {
      await server.expectInvalid("prompts/get", { name }, name);
    }
  });
  for (const prompt of prompts) testPrompt(test, prompt, server);
}

function testPrompt(test: TestRegistry, prompt: PromptContract, server: ProbedServer): void {
  const { name, completions } = prompt;
  test(`prompt ${shown(name)} is made as written`, () => expectMessages(prompt, server));
  test(`prompt ${shown(name)} refuses wrong arguments`, () => expectRefused(prompt, server));
  if (completions.length === 0) return;
  test(`prompt ${shown(name)} offers values`, async () => {
    const item = { kind: "promptCompletion", name } as const;
    const ref = { type: "ref/prompt", name };
    for (const one of completions) await expectCompletion(server, ref, item, one);
  });
}

async function expectMessages(prompt: PromptContract, server: ProbedServer): Promise<void> {
  const { name, description, cases } = prompt;
  server.returned = probed;
  for (const { arguments: values, messages } of cases) {
    const what = `arguments ${shown(values)}`;
    const result = await server.request("prompts/get", { name, arguments: values });
    const calls = messages === undefined ? [{ kind: "prompt", name, input: values }] : [];
    expectEqual(server.calls, calls, `${what}, given to the handler`);
    expectEqual(result["messages"], messages ?? probed, `${what}: messages`);
    expectEqual(result["description"], description, `${what}: description`);
  }
}

async function expectRefused(prompt: PromptContract, server: ProbedServer): Promise<void> {
  const { name, required, cases } = prompt;
  const complete = cases[0]?.arguments ?? {};
  for (const missing of required) {
    const { [missing]: _left, ...values } = complete;
    await server.expectInvalid("prompts/get", { name, arguments: values }, `without ${missing}`);
  }
  const unknown = { ...complete, "no such argument": "x" };
  await server.expectInvalid("prompts/get", { name, arguments: unknown }, "an unknown argument");
  for (const argument of Object.keys(complete)) {
    const values = { ...complete, [argument]: 1 };
    await server.expectInvalid(
      "prompts/get",
      { name, arguments: values },
      `${argument} as a number`,
    );
  }
}
