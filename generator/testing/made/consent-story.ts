import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { packageRoot } from "../../text/package-root.js";
import type { JsonObject } from "../../model/json.js";
import { buildProject } from "../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../harness/projects/generated-project.js";
import { installShared } from "../harness/projects/installed-packages.js";
import { withBlocks } from "./evolution-story.js";

/** `examples/CONSENT.md`: what a client and the server of `examples/issues` say to each other where a person is asked. */
export const consentPage = fileURLToPath(new URL("examples/CONSENT.md", packageRoot));

/** Serves the built project over stdio, with the origin of its only argument in place of GitHub's. */
const PROGRAM = `
import { createServer } from "./dist/src/generated/index.js";
import { serveStdio } from ${JSON.stringify(import.meta.resolve("@modelcontextprotocol/server/stdio"))};

const [origin] = process.argv.slice(2);
const server = await createServer({
  env: { GITHUB_API: "https://api.github.com", GITHUB_TOKEN: "token" },
  upstreams: { origin },
});
serveStdio(server.factory);
`;

/** What a client of the older eras says first. */
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: { form: {} } },
  clientInfo: { name: "transcript", version: "1.0.0" },
};

/** What a client of 2026-07-28 says with every request. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

/** The call of which the person is asked. */
const CLOSE = {
  name: "update_issue",
  arguments: { owner: "octocat", repo: "Hello-World", number: 1347, state: "closed" },
};

/** The same call, with another issue. */
const CLOSE_OTHER = { ...CLOSE, arguments: { ...CLOSE.arguments, number: 1348 } };

/** The server of a project, a client that is written out, and what stands in for GitHub. */
class Conversation {
  /** What was said since the last scene. */
  #said: string[] = [];
  /** Whether members `_meta` are written out. They are the same in all further scenes. */
  #showsMeta = true;
  /** Sealed states, by what is written in their place. */
  readonly #states = new Map<string, string>();
  readonly #github: Server;
  readonly #program: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  private constructor(folder: string, github: Server) {
    this.#github = github;
    github.on("request", (request, response) => {
      void request.toArray().then(async (chunks) => {
        const sent = JSON.parse(chunks.join("")) as JsonObject;
        await this.#write(`server to GitHub: ${request.method} ${request.url}`, sent);
        const number = Number(request.url?.split("/").at(-1));
        const html_url = `https://github.com/octocat/Hello-World/issues/${number}`;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ number, title: "Found a bug", state: "closed", html_url }));
      });
    });
    const { port } = github.address() as AddressInfo;
    this.#program = spawn(process.execPath, ["stdio.mjs", `http://127.0.0.1:${port}`], {
      cwd: folder,
    });
    this.#program.stderr.resume();
    this.#lines = createInterface(this.#program.stdout)[Symbol.asyncIterator]();
  }

  static async begin(folder: string): Promise<Conversation> {
    await writeFile(join(folder, "stdio.mjs"), PROGRAM);
    const github = createServer();
    await once(github.listen(0, "127.0.0.1"), "listening");
    return new Conversation(folder, github);
  }

  /** Sends a request. @returns the next message of the server: the answer, or a question */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.exchange({ id: ++this.#id, method, params });
  }

  /** Sends a message, and waits for the next message of the server. */
  async exchange(message: JsonObject): Promise<JsonObject> {
    await this.send(message);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the server has ended");
    const { jsonrpc = "", id = null, ...answer } = JSON.parse(String(value)) as JsonObject;
    await this.#write("server to client", { jsonrpc, id, ...answer });
    return { id, ...answer };
  }

  /** Sends a message that nothing answers. */
  async send(message: JsonObject): Promise<void> {
    const whole = { jsonrpc: "2.0", ...message };
    await this.#write("client to server", whole);
    this.#program.stdin.write(`${JSON.stringify(whole)}\n`);
  }

  /** Ends a scene. @returns what was said in it */
  scene(): string {
    this.#showsMeta = false;
    return this.#said.splice(0).join("\n");
  }

  async end(): Promise<void> {
    this.#github.close().closeAllConnections();
    this.#program.kill();
    await once(this.#program, "close");
  }

  async #write(who: string, message: JsonObject): Promise<void> {
    const shown = JSON.stringify(message, (key, value: unknown) => {
      if (key === "_meta" && !this.#showsMeta) return undefined;
      return key === "requestState" ? this.#markOf(String(value)) : value;
    });
    this.#said.push(`// ${who}\n${await format(shown, { parser: "json", printWidth: 100 })}`);
  }

  /** What is written in place of a sealed state, which differs in each run. */
  #markOf(state: string): string {
    const mark = this.#states.get(state) ?? `sealed state ${this.#states.size + 1}`;
    this.#states.set(state, mark);
    return mark;
  }
}

/**
 * Lives through the story with the built project of `examples/issues`.
 *
 * @returns the blocks of the page, by their names
 */
export async function liveConsentStory(folder: string): Promise<Map<string, string>> {
  const blocks = new Map<string, string>();
  for (const [era, live] of [
    ["2025-11-25", liveOlderEra],
    ["2026-07-28", liveNewerEra],
  ] as const) {
    const conversation = await Conversation.begin(folder);
    try {
      await live(conversation, (name) => blocks.set(`${era}: ${name}`, conversation.scene()));
    } finally {
      await conversation.end();
    }
  }
  return blocks;
}

/** The question is a request of the server, which the client answers while the call waits. */
async function liveOlderEra(said: Conversation, end: (scene: string) => void): Promise<void> {
  await said.request("initialize", INITIALIZE);
  await said.send({ method: "notifications/initialized" });
  end("handshake");
  const { id: asked = null } = await said.request("tools/call", CLOSE);
  end("question");
  const yes = { id: asked, result: { action: "accept", content: {} } };
  await said.exchange(yes);
  end("yes");
  const { id: again = null } = await said.request("tools/call", CLOSE);
  // The same call and question as before.
  said.scene();
  await said.exchange({ id: again, result: { action: "decline" } });
  end("no");
  await said.send(yes);
  await said.request("ping");
  end("replayed yes");
  const { id: other = null } = await said.request("tools/call", CLOSE_OTHER);
  await said.send(yes);
  await said.exchange({ id: other, result: { action: "cancel" } });
  end("changed argument");
}

/** The question is the result of the call, and the answer comes with the same call again. */
async function liveNewerEra(said: Conversation, end: (scene: string) => void): Promise<void> {
  const _meta = ENVELOPE;
  /** The call that brings an answer to the question of another. */
  const answering = (asked: JsonObject, call: JsonObject, action: string): JsonObject => {
    const { inputRequests = {}, requestState = "" } = asked["result"] as JsonObject;
    const [key = ""] = Object.keys(inputRequests as JsonObject);
    const answer = action === "accept" ? { action, content: {} } : { action };
    return { ...call, inputResponses: { [key]: answer }, requestState, _meta };
  };
  const asked = await said.request("tools/call", { ...CLOSE, _meta });
  end("question");
  const yes = answering(asked, CLOSE, "accept");
  await said.request("tools/call", yes);
  end("yes");
  const again = await said.request("tools/call", { ...CLOSE, _meta });
  said.scene();
  await said.request("tools/call", answering(again, CLOSE, "decline"));
  end("no");
  await said.request("tools/call", yes);
  end("replayed yes");
  const third = await said.request("tools/call", { ...CLOSE, _meta });
  said.scene();
  await said.request("tools/call", answering(third, CLOSE_OTHER, "accept"));
  end("changed argument");
}

/** Generates `examples/issues` in a new folder, with its packages. */
export async function generatedIssues(): Promise<string> {
  const example = fileURLToPath(new URL("examples/issues", packageRoot));
  const folder = await copyUserFiles(example, "issues");
  const { status, out, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(out + err);
  await installShared(folder);
  return folder;
}

/** Generates and builds `examples/issues` in a new folder. */
export async function builtIssues(): Promise<string> {
  const folder = await generatedIssues();
  await buildProject(folder);
  return folder;
}

/** Writes the page of a run of the built project of `examples/issues`. */
export async function retellConsentStory(folder: string): Promise<void> {
  const blocks = await liveConsentStory(folder);
  await writeFile(consentPage, withBlocks(await readFile(consentPage, "utf8"), blocks));
}
