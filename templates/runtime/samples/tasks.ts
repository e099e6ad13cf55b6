import type { Result } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createServer, type RunningServer, type ServerOptions } from "../server/create-server.js";
import { createLog } from "../observe/log.js";
import { TASKS_EXTENSION } from "../tasks/definition.js";
import { createTasks } from "../tasks/create-tasks.js";
import type { ToolEntry } from "../tools/definition.js";
import { allCapabilities } from "./asking.js";
import { caller } from "./engine.js";
import { sampleServer } from "./server.js";
import { until } from "./until.js";

/** What `tasks/get` answers, as far as tests look at it. */
export interface ShownTask extends Result {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly ttlMs: number;
  readonly inputRequests?: Readonly<Record<string, { readonly params: { message: string } }>>;
  readonly result?: Result & { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server whose tools may run as tasks, without a connection. */
export class TaskSample {
  readonly lines: string[] = [];
  readonly server: RunningServer;
  readonly engine: Engine;

  constructor(
    tools: readonly ToolEntry[],
    parts: Partial<ServerDefinition> = {},
    options: Partial<ServerOptions> = {},
  ) {
    const log = createLog({ level: "debug", write: (line) => void this.lines.push(line) });
    this.server = createServer(
      { ...sampleServer, createTasks, ...parts, tools },
      { root: process.cwd(), log, ...options },
    );
    if (this.server.fastEngine === undefined) throw new Error("no engine");
    this.engine = this.server.fastEngine;
  }

  /** A client that knows tasks and can be asked everything, unless its parts say otherwise. */
  client(parts: Partial<Caller> = {}): TaskClient {
    return new TaskClient(this.engine, {
      ...caller,
      clientCapabilities: () => ({ ...allCapabilities, extensions: { [TASKS_EXTENSION]: {} } }),
      ...parts,
    });
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** A client of a server whose tools may run as tasks. */
export class TaskClient {
  readonly #engine: Engine;
  readonly caller: Caller;

  constructor(engine: Engine, caller: Caller) {
    this.#engine = engine;
    this.caller = caller;
  }

  async send(method: string, parameters: object, parts: Partial<Caller> = {}): Promise<Result> {
    const found = this.#engine.methods.get(method);
    if (found === undefined) throw new Error(`no method ${method}`);
    return found.answer(parameters as Record<string, unknown>, { ...this.caller, ...parts });
  }

  call(name: string, values: object = {}, parts: Partial<Caller> = {}): Promise<Result> {
    return this.send("tools/call", { name, arguments: values }, parts);
  }

  /** Calls a tool. @returns the id of the task @throws Error if there is none */
  async start(name: string, values: object = {}, parts: Partial<Caller> = {}): Promise<string> {
    const result = await this.call(name, values, parts);
    if (result.resultType !== "task") throw new Error(`no task: ${JSON.stringify(result)}`);
    return (result as ShownTask).taskId;
  }

  async get(taskId: string): Promise<ShownTask> {
    return (await this.send("tasks/get", { taskId })) as ShownTask;
  }

  update(taskId: string, inputResponses: unknown): Promise<Result> {
    return this.send("tasks/update", { taskId, inputResponses });
  }

  cancel(taskId: string): Promise<Result> {
    return this.send("tasks/cancel", { taskId });
  }

  /** Waits until a task has a status. @throws Error if it has another one in the end */
  async until(taskId: string, status: string): Promise<ShownTask> {
    let task = await this.get(taskId);
    await until(async () => {
      task = await this.get(taskId);
      if (task.status === status) return true;
      if (task.status === "working" || task.status === "input_required") return false;
      throw new Error(`the task is ${JSON.stringify(task)}, not ${status}`);
    });
    return task;
  }
}
