import type { Client } from "@modelcontextprotocol/client";

/** A call that a manifest shows as an example. */
export interface ExampleCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly fails: boolean;
}

/**
 * Has a client use all that a server lists, and what it does not have: example calls, completions of every
 * variable and argument, each resource, an instance of each template, each prompt.
 * @returns how often each method was called
 * @throws Error if an answer is wrong
 */
export async function walkServer(
  client: Client,
  examples: readonly ExampleCall[],
): Promise<ReadonlyMap<string, number>> {
  const walk = new Walk(client);
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  if (tools !== undefined) await walk.tools(examples);
  if (resources !== undefined) await walk.resources();
  if (prompts !== undefined) await walk.prompts();
  return walk.calls;
}

class Walk {
  readonly calls = new Map<string, number>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async tools(examples: readonly ExampleCall[]): Promise<void> {
    const { tools } = await this.#call("tools/list", () => this.#client.listTools());
    const names = tools.map(({ name }) => name);
    for (const { tool, arguments: given, fails } of examples) {
      if (!names.includes(tool)) throw new Error(`${tool} is not listed`);
      const request = { name: tool, arguments: { ...given } };
      const answer = await this.#call("tools/call", () => this.#client.callTool(request));
      if ((answer.isError ?? false) !== fails) throw new Error(`${tool} ${JSON.stringify(answer)}`);
    }
    for (const name of names) {
      const request = { name, arguments: { "no such argument": [] } };
      const { isError } = await this.#call("tools/call", () => this.#client.callTool(request));
      if (isError !== true) throw new Error(`${name} takes what its schema does not`);
    }
    await refused(this.#client.callTool({ name: "no such tool" }));
  }

  async resources(): Promise<void> {
    const { resources } = await this.#call("resources/list", () => this.#client.listResources());
    const { resourceTemplates } = await this.#call("resources/templates/list", () =>
      this.#client.listResourceTemplates(),
    );
    const uris = resources.map(({ uri }) => uri);
    for (const { uriTemplate: uri } of resourceTemplates) {
      const [, name = ""] = /\{(\w+)\}/.exec(uri) ?? [];
      const [value = "1"] = await this.#complete({ type: "ref/resource", uri }, name);
      uris.push(uri.replace(`{${name}}`, encodeURIComponent(value)));
    }
    for (const uri of uris) {
      await this.#call("resources/read", () => this.#client.readResource({ uri }));
    }
    await refused(this.#client.readResource({ uri: "nowhere://at/all" }));
  }

  async prompts(): Promise<void> {
    const { prompts } = await this.#call("prompts/list", () => this.#client.listPrompts());
    for (const { name, arguments: declared = [] } of prompts) {
      const values: Record<string, string> = {};
      for (const argument of declared) {
        const [value] = await this.#complete({ type: "ref/prompt", name }, argument.name);
        values[argument.name] = value ?? "file:///logs/app.log";
      }
      const request = { name, arguments: values };
      await this.#call("prompts/get", () => this.#client.getPrompt(request));
      if (declared.some(({ required }) => required))
        await refused(this.#client.getPrompt({ name }));
    }
    await refused(this.#client.getPrompt({ name: "no such prompt" }));
  }

  async #complete(
    ref: { type: "ref/resource"; uri: string } | { type: "ref/prompt"; name: string },
    name: string,
  ): Promise<readonly string[]> {
    if (this.#client.getServerCapabilities()?.completions === undefined) return [];
    const request = { ref, argument: { name, value: "" } };
    const answer = await this.#call("completion/complete", () => this.#client.complete(request));
    return answer.completion.values;
  }

  async #call<Answer>(method: string, request: () => Promise<Answer>): Promise<Answer> {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    return request();
  }
}

/** Waits for a request that must not be answered with a result. */
export async function refused(request: Promise<unknown>): Promise<void> {
  const answer = await request.then(
    (value) => value,
    () => undefined,
  );
  if (answer !== undefined) throw new Error(`answered ${JSON.stringify(answer)}`);
}
