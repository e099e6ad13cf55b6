import { setTimeout as delay } from "node:timers/promises";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { LocalRedis } from "../../../templates/runtime/samples/local-redis.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { packageRoot } from "../../text/package-root.js";
import { startHttp, type StartedServer } from "../harness/clients/project-clients.js";
import { buildProject } from "../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../harness/projects/generated-project.js";
import { installShared } from "../harness/projects/installed-packages.js";
import { withBlocks } from "./evolution-story.js";

/** `examples/TASKS.md`: what a client and two processes of `examples/replicas` say to each other about one task. */
export const tasksPage = fileURLToPath(new URL("examples/TASKS.md", packageRoot));

/** What a client of 2026-07-28 says with every request, if it knows tasks and can ask people. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "transcript", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {} },
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

/** Members whose values differ in each run, and what is written in their place. */
const MARKS: Readonly<Record<string, string>> = {
  taskId: "the id of the task",
  createdAt: "a time",
  lastUpdatedAt: "a time",
};

/** How long a state of the task is waited for, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Two processes and a client that writes out what is said. */
class Conversation {
  /** What was said since the last scene. */
  readonly #said: string[] = [];
  readonly #processes: Readonly<Record<ProcessName, StartedServer>>;
  /** Whether members `_meta` are written out. They are the same in all further scenes. */
  #showsMeta = true;
  #id = 0;

  constructor(processes: Readonly<Record<ProcessName, StartedServer>>) {
    this.#processes = processes;
  }

  /** Sends a request to a process. @returns the result */
  async request(to: ProcessName, method: string, params: JsonObject): Promise<JsonObject> {
    const { sent, answer } = await this.#exchange(to, method, params);
    await this.#write(`client to process ${to}`, sent);
    await this.#write(`process ${to} to client`, answer);
    const { result } = answer;
    if (!isJsonObject(result)) throw new Error(JSON.stringify(answer));
    return result;
  }

  /** Asks a process for the task until it is in a state, and writes out the last answer alone. */
  async wait(
    to: ProcessName,
    taskId: JsonValue,
    member: string,
    value: string,
  ): Promise<JsonObject> {
    const began = Date.now();
    for (;;) {
      const { sent, answer } = await this.#exchange(to, "tasks/get", { taskId });
      const { result } = answer;
      if (isJsonObject(result) && result[member] === value) {
        await this.#write(`client to process ${to}`, sent);
        await this.#write(`process ${to} to client`, answer);
        return result;
      }
      if (Date.now() - began > PATIENCE_MS) throw new Error(JSON.stringify(answer));
      await delay(50);
    }
  }

  /** Ends a scene. @returns what was said in it */
  scene(): string {
    this.#showsMeta = false;
    return this.#said.splice(0).join("\n");
  }

  /** Leaves out what was said since the last scene. */
  skip(): void {
    this.#said.length = 0;
  }

  async #exchange(
    to: ProcessName,
    method: string,
    params: JsonObject,
  ): Promise<{ sent: JsonObject; answer: JsonObject }> {
    const whole = { ...params, _meta: ENVELOPE };
    const sent = { jsonrpc: "2.0", id: ++this.#id, method, params: whole };
    const response = await fetch(this.#processes[to].url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": String(params["name"] ?? params["taskId"] ?? params["uri"]),
      },
      body: JSON.stringify(sent),
    });
    const text = await response.text();
    const [, event = text] = /^data: (\{.*)$/m.exec(text) ?? [];
    const { jsonrpc = "", id = null, ...answer } = JSON.parse(event) as JsonObject;
    return { sent, answer: { jsonrpc, id, ...answer } };
  }

  async #write(who: string, message: JsonObject): Promise<void> {
    // Requests that only wait are not written out, so that their ids would differ in each run.
    const { id: _id, ...told } = message;
    const shown = JSON.stringify(told, (key, value: unknown) => {
      if (key === "_meta" && !this.#showsMeta) return undefined;
      return MARKS[key] ?? value;
    });
    this.#said.push(`// ${who}\n${await format(shown, { parser: "json", printWidth: 100 })}`);
  }
}

type ProcessName = "one" | "two";

/**
 * Lives through the story with the built project of `examples/replicas` in two processes, and a Redis of its own.
 *
 * @returns the blocks of the page, by their names
 */
export async function liveTasksStory(folder: string): Promise<Map<string, string>> {
  const redis = await LocalRedis.start();
  const env = { REDIS_URL: redis.url, REQUEST_STATE_KEY: "k".repeat(64) };
  const [one, two] = await Promise.all([startHttp(folder, env), startHttp(folder, env)]);
  try {
    return await live(new Conversation({ one, two }));
  } finally {
    await Promise.all([one.kill(), two.kill()]);
    await redis.stop();
  }
}

async function live(said: Conversation): Promise<Map<string, string>> {
  const blocks = new Map<string, string>();
  const end = (scene: string): void => void blocks.set(scene, said.scene());
  for (const text of ["Lost: one glove", "Found: one glove", "Lost: one hat"]) {
    await said.request("one", "tools/call", { name: "post_note", arguments: { text } });
  }
  said.skip();
  const call = { name: "clear_board", arguments: {} };
  const { taskId = "" } = await said.request("one", "tools/call", call);
  end("call");
  const asking = await said.wait("two", taskId, "status", "input_required");
  end("question");
  const [key = ""] = Object.keys(asking["inputRequests"] as JsonObject);
  const answer = { action: "accept", content: { notes: 1 } };
  await said.request("two", "tasks/update", { taskId, inputResponses: { [key]: answer } });
  end("answer");
  await said.wait("one", taskId, "statusMessage", "Notes taken off the board (1 of 2)");
  end("work");
  await said.request("one", "tasks/cancel", { taskId });
  await said.wait("two", taskId, "status", "cancelled");
  end("cancel");
  await said.request("one", "resources/read", { uri: "board://notes" });
  end("board");
  return blocks;
}

/** Generates and builds `examples/replicas` in a new folder. */
export async function builtReplicas(): Promise<string> {
  const example = fileURLToPath(new URL("examples/replicas", packageRoot));
  const folder = await copyUserFiles(example, "replicas");
  const { status, out, err } = await mcpwright(folder, "generate");
  if (status !== 0) throw new Error(out + err);
  await installShared(folder);
  await buildProject(folder);
  return folder;
}

/** Writes the page of a run of the built project of `examples/replicas`. */
export async function retellTasksStory(folder: string): Promise<void> {
  const blocks = await liveTasksStory(folder);
  await writeFile(tasksPage, withBlocks(await readFile(tasksPage, "utf8"), blocks));
}
