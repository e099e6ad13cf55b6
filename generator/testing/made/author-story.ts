import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { format } from "prettier";
import type { JsonObject } from "../../model/json.js";
import { packageRoot } from "../../text/package-root.js";
import { withBlocks } from "./evolution-story.js";

/** `examples/AUTHOR.md`: how a client of an agent makes a server through `mcpwright mcp`. */
export const authorPage = fileURLToPath(new URL("examples/AUTHOR.md", packageRoot));

const command = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));

/** What the agent writes first, with a key that is misspelt. */
const FIRST = `name: greeter
version: 1.0.0
tools:
  - name: greet
    descripton: Greets a person by name.
    inputSchema:
      type: object
      properties: { name: { type: string, description: Whom to greet } }
      required: [name]
      additionalProperties: false
`;

/** Lists are written out up to this length. */
const MOST_SHOWN = 3;

/** A client of \`mcpwright mcp\`, and what was said. */
class Session {
  readonly #client: Client;
  readonly #said: string[] = [];
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.#client = new Client(
      { name: "transcript", version: "1.0.0" },
      { capabilities: { elicitation: { form: {} } } },
    );
    this.#client.setRequestHandler("elicitation/create", ({ params }) => {
      this.#said.push(`// the user is asked, and agrees\n${this.#json(params.message)}`);
      return { action: "accept", content: {} };
    });
  }

  static async open(root: string): Promise<Session> {
    const session = new Session(root);
    const args = [command, "mcp", "--root", root];
    await session.#client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
    );
    return session;
  }

  async call(name: string, given: JsonObject = {}): Promise<JsonObject> {
    this.#said.push(`// the agent calls ${name}\n${this.#json(given)}`);
    const { structuredContent, content } = await this.#client.callTool({ name, arguments: given });
    if (structuredContent === undefined) throw new Error(JSON.stringify(content));
    this.#said.push(`// ${name} answers\n${this.#json(structuredContent)}`);
    return structuredContent as JsonObject;
  }

  /** Ends a scene. @returns what was said in it */
  async scene(): Promise<string> {
    const laidOut = this.#said.splice(0).map(async (one) => {
      const [head = "", ...lines] = one.split("\n");
      const json = await format(lines.join("\n"), { parser: "json", printWidth: 100 });
      return `${head}\n${json}`;
    });
    return (await Promise.all(laidOut)).join("\n");
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** A value as JSON, without what differs in each run, and with the begin of long lists. */
  #json(value: unknown): string {
    const shown = JSON.stringify(value, (key, one: unknown) => {
      if (key === "milliseconds") return undefined;
      if (!Array.isArray(one) || one.length <= MOST_SHOWN) return one;
      return [...(one as unknown[]).slice(0, MOST_SHOWN), `… and ${one.length - MOST_SHOWN} more`];
    });
    return shown
      .replaceAll(JSON.stringify(this.#root).slice(1, -1), "/home/ada/greeter")
      .replaceAll(/ created [0-9a-f]{32}/g, " created, and a hash of the plan");
  }
}

/**
 * Lives through the story in a new folder.
 *
 * @param root its absolute real path
 * @returns the blocks of the page, by their names
 */
export async function liveAuthorStory(root: string): Promise<Map<string, string>> {
  const blocks = new Map<string, string>();
  await mkdir(root, { recursive: true });
  const session = await Session.open(root);
  const end = async (name: string): Promise<void> => {
    blocks.set(name, await session.scene());
  };
  try {
    await session.call("reference", { words: "tool.inputSchema" });
    await end("reference");
    await writeFile(join(root, "mcp.yaml"), FIRST);
    blocks.set("manifest", FIRST);
    await session.call("validate");
    await end("validate");
    await writeFile(join(root, "mcp.yaml"), FIRST.replace("descripton", "description"));
    await session.call("validate");
    const { plan = "" } = await session.call("plan");
    await end("plan");
    await session.call("generate", { plan });
    await end("generate");
    blocks.set("files", `${(await readdir(root)).sort().join("\n")}\n`);
  } finally {
    await session.close();
  }
  return blocks;
}

/** Writes the page of a run in a new folder. */
export async function retellAuthorStory(root: string): Promise<void> {
  const blocks = await liveAuthorStory(root);
  await writeFile(authorPage, withBlocks(await readFile(authorPage, "utf8"), blocks));
}
