import { Client, LOG_LEVEL_META_KEY, type Transport } from "@modelcontextprotocol/client";
import type { Era } from "./project-clients.js";
import { refused } from "./walk-server.js";

/** Arguments of the tools of examples/conformance that want some. */
const toolArguments: Readonly<Record<string, Record<string, unknown>>> = {
  json_schema_2020_12_tool: { name: "Ada", contactMethod: "phone", phone: "1" },
  test_x_mcp_header: { region: "eu" },
  test_elicitation: { message: "Who are you?" },
  test_sampling: { prompt: "What is the capital of France?" },
  greet: { name: "Ada" },
  slow_compute: { seconds: 0 },
  confirm_delete: { filename: "a.txt" },
};

/** Tools of examples/conformance that fail, or that need a client with tasks. */
const failing = [...["test_error_handling", "failing_job", "test_tool_with_task"]];

/** What a person would type into any form of examples/conformance. */
const typed = {
  ...{ username: "ada", email: "ada@example.com", name: "Ada", color: "red", ok: true },
  ...{ age: 36, score: 1.5, status: "active", verified: true, context: "a test", confirm: true },
};

/** A client of the official SDK that offers all that servers may ask for. */
export async function connectClient(transport: Transport, era: Era): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(
    { name: "every-method", version: "1.0.0" },
    {
      versionNegotiation: { mode },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    const wanted =
      "requestedSchema" in params ? Object.keys(params.requestedSchema.properties) : [];
    const given = Object.entries(typed).filter(([name]) => wanted.includes(name));
    return { action: "accept", content: Object.fromEntries(given) };
  });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "test",
    content: { type: "text", text: "Paris" },
  }));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///project" }] }));
  await client.connect(transport);
  return client;
}

/** Calls all methods of an era's clients, also with errors on purpose. Returns the methods. */
export async function callEveryMethod(client: Client, era: Era): Promise<Set<string>> {
  const called = new Set<string>();
  const call = async <Answer>(method: string, request: () => Promise<Answer>): Promise<Answer> => {
    called.add(method);
    return request();
  };
  if (era === "legacy") {
    await call("ping", () => client.ping());
    await call("logging/setLevel", () => client.setLoggingLevel("debug"));
    await call("resources/subscribe", () =>
      client.subscribeResource({ uri: "test://watched-resource" }),
    );
    await call("resources/unsubscribe", () =>
      client.unsubscribeResource({ uri: "test://watched-resource" }),
    );
  } else {
    await call("server/discover", () => client.discover());
    const lists = { toolsListChanged: true, promptsListChanged: true };
    const filter = { ...lists, resourceSubscriptions: ["test://watched-resource"] };
    const listening = await call("subscriptions/listen", () => client.listen(filter));
    await changeLists(client);
    await listening.close();
  }
  await callTools(client, era, call);
  await readResources(client, call);
  // Not before: over HTTP the stream on which older clients hear of it may open late.
  if (era === "legacy") await changeLists(client);
  await getPrompts(client, call);
  return called;
}

type Call = <Answer>(method: string, request: () => Promise<Answer>) => Promise<Answer>;

async function callTools(client: Client, era: Era, call: Call): Promise<void> {
  const { tools } = await call("tools/list", () => client.listTools());
  for (const { name } of tools.filter((one) => !one.name.startsWith("test_trigger"))) {
    // The older eras have a level for the whole session.
    const _meta = era === "modern" ? { [LOG_LEVEL_META_KEY]: "debug" } : {};
    const request = { name, arguments: toolArguments[name] ?? {}, _meta };
    const options = { onprogress: () => undefined };
    const answer = await call("tools/call", () =>
      client.callTool(request, options).catch((error: Error) => ({ isError: true, error })),
    );
    const fails = failing.includes(name);
    if ((answer.isError ?? false) !== fails) {
      throw new Error(`${name}: ${JSON.stringify(answer)}`, { cause: answer });
    }
  }
  await refused(client.callTool({ name: "no such tool" }));
}

/** Switches items on and off again: the server is as it was. */
async function changeLists(client: Client): Promise<void> {
  for (const name of ["test_trigger_tool_change", "test_trigger_prompt_change"]) {
    await client.callTool({ name });
    await client.callTool({ name });
  }
}

async function readResources(client: Client, call: Call): Promise<void> {
  const { resources } = await call("resources/list", () => client.listResources());
  await call("resources/templates/list", () => client.listResourceTemplates());
  for (const uri of [...resources.map((one) => one.uri), "test://template/7/data"]) {
    await call("resources/read", () => client.readResource({ uri }));
  }
  await refused(client.readResource({ uri: "test://nowhere" }));
}

async function getPrompts(client: Client, call: Call): Promise<void> {
  const { prompts } = await call("prompts/list", () => client.listPrompts());
  for (const { name, arguments: declared = [] } of prompts) {
    const values = Object.fromEntries(declared.map((one) => [one.name, `test://${one.name}`]));
    await call("prompts/get", () => client.getPrompt({ name, arguments: values }));
  }
  await call("completion/complete", () =>
    client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "pa" },
    }),
  );
  await refused(client.getPrompt({ name: "no such prompt" }));
}
