import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { InputRequest, JSONObject, Result } from "@modelcontextprotocol/server";
import { insufficientScope } from "../authentication/access.js";
import { mayUse } from "../authentication/may-use.js";
import type { Caller } from "../context/context.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { ServerDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import { invalidParams, ProtocolError, RequestRefused, ToolError } from "../engine/errors.js";
import type { Method, Methods } from "../engine/feature.js";
import { publicError } from "../engine/protocol-errors.js";
import {
  isObject,
  textMember,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { text } from "../engine/content.js";
import { clientOf } from "../http/rate-limit.js";
import type { Logger } from "../observe/log.js";
import type { ToolEntry } from "../tools/definition.js";
import { taskDefaults, TASKS_EXTENSION } from "./definition.js";
import { declaresTasks, missingExtension, undeclaredExtension } from "./extension.js";
import { changed, createdTask, isOver, type OpenQuestions, type TaskRecord } from "./record.js";
import type { ChangeTask, TaskStore } from "./store.js";
import { TaskCall, type CallOutcome, type TaskCallOptions } from "./task-call.js";

/** Longest id of a task that is looked up, in UTF-16 code units. */
export const maxIdLength = 100;

/** How long a call runs before it becomes a task where users are asked before that, in milliseconds. */
const foregroundMs = 1_000;

/** How often, and after how many milliseconds, the end of a run is written again that could not be written. */
const maxAttempts = 60;
const retryMs = 1_000;

/** What tasks need of their server. */
export interface TaskServer {
  readonly store: TaskStore;
  readonly definition: Pick<ServerDefinition, "tools" | "isHidden">;
  readonly log: Logger;
  /** Most handlers that run for tasks at the same time. */
  readonly mostRunning: number;
  /** Reports that there are too many of them. @returns the limit in words */
  busy(caller: Caller): string;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Runs calls of tools as tasks. A run passes the same gates as every call: scopes, consent, limits and the audit trail. What
 * it asks its user ends the run; the task waits for the answers, and runs the handler again with them.
 */
export class Tasks {
  readonly #server: TaskServer;
  readonly #tools: ReadonlyMap<string, ToolEntry>;
  /** The runs of this process, by the ids of their tasks. */
  readonly #running = new Map<string, TaskCall>();
  /** The changes of tasks that are being written. */
  readonly #writing = new Set<Promise<unknown>>();
  #isClosing = false;
  #call: Method["answer"] | undefined;

  constructor(server: TaskServer) {
    this.#server = server;
    this.#tools = new Map(server.definition.tools.map((tool) => [tool.definition.name, tool]));
  }

  /** The number of handlers that run for tasks now. */
  get running(): number {
    return this.#running.size;
  }

  /** Wraps `tools/call`, behind everything else that wraps it: the whole of it runs for a task. */
  wrap(methods: Methods): Methods {
    const { "tools/call": method } = methods;
    if (method === undefined) return methods;
    this.#call = (parameters, caller) => method.answer(parameters, caller);
    const answer: Method["answer"] = (parameters, caller) => {
      const tool = method.itemOf?.(parameters, caller) as ToolEntry | undefined;
      return tool?.task === undefined || !knowsTasks(caller)
        ? method.answer(parameters, caller)
        : this.#start(tool, parameters, caller);
    };
    return { ...methods, "tools/call": { ...method, answer } };
  }

  /**
   * Must be called when the arguments of a call are known to be valid, before its handler runs.
   * @throws ToolError if the caller has too many tasks, or cannot know them and the tool needs one
   * @throws RequestRefused -32021 if a client of 2026-07-28 does not know tasks and the tool needs one
   */
  begin({ task, definition: { name } }: ToolEntry, caller: Caller): Awaitable<void> {
    if (caller.task !== undefined) return caller.task.begin();
    if (task?.required !== true) return undefined;
    const message = `The tool ${name} runs only as a task, and the client does not know the extension ${TASKS_EXTENSION}`;
    if (caller.era === "legacy") throw new ToolError(message);
    throw new RequestRefused(missingExtension(message));
  }

  /** Returns a task of the caller. @throws ProtocolError -32602 if there is none */
  get(parameters: RequestParameters, caller: Caller): Awaitable<TaskRecord> {
    requireExtension(caller);
    return this.#find(parameters, caller);
  }

  /** Gives a task the answers to its questions. Others than those that it waits for are ignored. */
  update(parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    requireExtension(caller);
    return after(this.#find(parameters, caller), ({ id }) => {
      // The SDK hands them over as it does those of calls.
      const { inputResponses: responses = caller.inputResponses ?? {} } = parameters;
      if (!isObject(responses)) throw invalidParams('"inputResponses" must be an object');
      let resumed: { readonly record: TaskRecord; readonly questions: OpenQuestions } | undefined;
      const change: ChangeTask = (record) => {
        resumed = undefined;
        const questions = record.questions && answeredBy(record.questions, responses);
        if (questions === undefined || questions === record.questions) return undefined;
        const isOpen = Object.keys(questions.requests).length > 0;
        if (!isOpen) resumed = { record, questions };
        return changed(
          record,
          isOpen ? { status: "input_required", questions } : { status: "working" },
          this.#server.now(),
        );
      };
      return after(this.#server.store.change(id, change), () => {
        if (resumed !== undefined) this.#resume(resumed.record, resumed.questions, caller);
        return {};
      });
    });
  }

  /** Cancels a task. A task that is over stays as it is. */
  cancel(parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    requireExtension(caller);
    return after(this.#find(parameters, caller), ({ id }) => {
      const change: ChangeTask = (record) =>
        isOver(record) ? undefined : changed(record, { status: "cancelled" }, this.#server.now());
      return after(this.#server.store.change(id, change), () => {
        this.stop(id);
        return {};
      });
    });
  }

  /** Stops the run of a task in this process, if there is one: the task is over. */
  stop(id: string): void {
    this.#running.get(id)?.cancel();
    this.#running.delete(id);
  }

  /** Must be called when another process has changed a task. */
  follow(id: string): void {
    if (!this.#running.has(id)) return;
    const stopIfOver = (record: TaskRecord | undefined): void => {
      if (record === undefined || isOver(record)) this.stop(id);
    };
    // What cannot be read now is written in the end, which then has no effect.
    void recover(
      () => after(this.#server.store.read(id), stopIfOver),
      () => undefined,
    );
  }

  /** The tool of a task, if the task is in the memory of this process and a caller may know it. */
  toolOf(parameters: RequestParameters, caller?: Partial<Caller>): ToolEntry | undefined {
    const id = textMember(parameters, "taskId");
    const record = id === undefined ? undefined : this.#server.store.read(id);
    if (record === undefined || record instanceof Promise) return undefined;
    return caller === undefined ? this.#tools.get(record.tool) : this.#toolFor(record, caller);
  }

  /** Whether a caller may follow a task: it is the caller's, who may use its tool. */
  mayFollow(record: TaskRecord, caller: Partial<Caller>): boolean {
    const tool = this.#toolFor(record, caller);
    return tool !== undefined && mayUse(tool, caller.authentication);
  }

  /** Waits until everything is written, and ends what is kept. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
    await this.#server.store.close();
  }

  #find(parameters: RequestParameters, caller: Caller): Awaitable<TaskRecord> {
    const id = textParameter(parameters, "taskId");
    const found = id.length > maxIdLength ? undefined : this.#server.store.read(id);
    return after(found, (record) => {
      const tool = record && this.#toolFor(record, caller);
      // Nobody learns whether others have a task with this id.
      if (record === undefined || tool === undefined) throw invalidParams("Task not found");
      if (mayUse(tool, caller.authentication)) return record;
      throw insufficientScope(tool.scopes ?? []);
    });
  }

  /** The tool of a task; undefined if the task is not the caller's, or the tool does not exist for the caller. */
  #toolFor({ owner, tool: name }: TaskRecord, caller: Partial<Caller>): ToolEntry | undefined {
    if (owner !== ownerOf(caller)) return undefined;
    const tool = this.#tools.get(name);
    return tool === undefined || this.#server.definition.isHidden?.(tool, caller)
      ? undefined
      : tool;
  }

  #start(tool: ToolEntry, parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    const { ttlMs = taskDefaults.ttlMs, asks = "during" } = tool.task ?? {};
    const isAnswer = caller.requestState !== undefined || caller.inputResponses !== undefined;
    const call = new TaskCall(caller, {
      ...this.#follow(parameters),
      ...(asks === "before" && !isAnswer && { foregroundMs }),
      timeLimitMs: Math.min(tool.timeoutMs ?? ttlMs, ttlMs),
      create: (own) => this.#create(tool, parameters, caller, own),
    });
    return call.start((sender) => this.#run(parameters, sender));
  }

  #create(
    tool: ToolEntry,
    parameters: RequestParameters,
    caller: Caller,
    call: TaskCall,
  ): Awaitable<{ readonly id: string; readonly result: Result }> {
    const { store, mostRunning, busy, now } = this.#server;
    if (this.#running.size >= mostRunning) {
      throw new ToolError(`The server is busy with tasks: try again later (${busy(caller)})`);
    }
    const id = randomBytes(24).toString("base64url");
    const { ttlMs = taskDefaults.ttlMs } = tool.task ?? {};
    const { pollIntervalMs = taskDefaults.pollIntervalMs } = tool.task ?? {};
    // Where there is no room for the call of a tool that says that it asks, it is refused before it runs.
    const willAsk = tool.asks !== undefined || tool.confirm !== undefined;
    const createdAt = now();
    const record: TaskRecord = {
      id,
      owner: ownerOf(caller),
      holder: ownerOf(caller) ?? clientOf(caller.address ?? ""),
      tool: tool.definition.name,
      ...(willAsk && { call: keptCall(parameters) }),
      ...{ status: "working", createdAt, updatedAt: createdAt, ttlMs, pollIntervalMs, rounds: 0 },
    };
    return after(store.create(record), () => {
      this.#running.set(id, call);
      return { id, result: createdTask(record) };
    });
  }

  /** Runs a call again, with the answers to all questions of its task. */
  #resume(record: TaskRecord, questions: OpenQuestions, caller: Caller): void {
    const { id, createdAt, ttlMs, call: parameters = {} } = record;
    const remainingMs = Math.max(1, createdAt + ttlMs - this.#server.now());
    const { answers: inputResponses, requestState } = questions;
    const { timeoutMs = remainingMs } = this.#tools.get(record.tool) ?? {};
    const call = new TaskCall(
      { ...caller, inputResponses, requestState },
      {
        ...this.#follow(parameters),
        timeLimitMs: Math.min(timeoutMs, remainingMs),
        create: () => {
          throw new Error("a task is made once");
        },
      },
      id,
    );
    this.#running.set(id, call);
    void call.start((sender) => this.#run(parameters, sender));
  }

  #run(parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    if (this.#call === undefined) throw new Error("no method calls tools");
    return this.#call(parameters, caller);
  }

  /** What follows from what the run of a task does. The task keeps the call from its first question on. */
  #follow(
    parameters: RequestParameters,
  ): Pick<TaskCallOptions, "report" | "reportIntervalMs" | "ended"> {
    const { store, now, log } = this.#server;
    return {
      reportIntervalMs: store.reportIntervalMs,
      report: (id, statusMessage) =>
        this.#write(id, (record) =>
          record.status === "working"
            ? changed(record, { status: "working", statusMessage }, now())
            : undefined,
        ),
      ended: (id, outcome) => {
        this.#running.delete(id);
        const change: ChangeTask = (record) =>
          record.status === "working"
            ? concluded({ ...record, call: keptCall(parameters) }, outcome, now(), log)
            : undefined;
        this.#write(id, change, maxAttempts);
      },
    };
  }

  /** Changes a task for which no request waits. @param attempts How often it is tried, while the store is away. */
  #write(id: string, change: ChangeTask, attempts = 1): void {
    const { store, log } = this.#server;
    const attempt = (attemptsLeft: number): Awaitable<unknown> =>
      recover<unknown>(
        () => store.change(id, change),
        async (error) => {
          if (attemptsLeft > 1 && !this.#isClosing) {
            await delay(retryMs);
            return attempt(attemptsLeft - 1);
          }
          log.error("a task cannot be changed", { error: describeError(error) });
          return undefined;
        },
      );
    const written = attempt(attempts);
    if (!(written instanceof Promise)) return;
    this.#writing.add(written);
    void written.finally(() => this.#writing.delete(written));
  }
}

/** The principal of a caller; null if callers are not authenticated. */
function ownerOf({ authentication }: Partial<Caller>): string | null {
  return authentication?.principal ?? null;
}

/** What a task keeps of its call, to run it again. */
function keptCall({ name, arguments: values = {} }: RequestParameters): JSONObject {
  return { name, arguments: values } as JSONObject;
}

/** Whether the client of a request can follow tasks. */
function knowsTasks(caller: Caller): boolean {
  if (caller.era === "legacy") return false;
  return declaresTasks(caller.clientCapabilities());
}

/** @throws ProtocolError if the client of a request cannot follow tasks */
function requireExtension(caller: Caller): void {
  if (caller.era === "legacy") throw new ProtocolError(-32601, "Method not found");
  if (!knowsTasks(caller)) throw undeclaredExtension();
}

/** Questions that some responses answer; the same object if they answer none of them. */
function answeredBy(questions: OpenQuestions, responses: RequestParameters): OpenQuestions {
  const { requests, answers, ...rest } = questions;
  const keys = Object.keys(requests).filter((key) => Object.hasOwn(responses, key));
  if (keys.length === 0) return questions;
  const open = Object.entries(requests).filter(([key]) => !keys.includes(key));
  const given = keys.map((key) => [keyInCall(key), responses[key]]);
  return {
    ...rest,
    requests: Object.fromEntries(open),
    answers: { ...answers, ...Object.fromEntries(given) },
  };
}

/** The name of a question in its task. A call may ask the same again; in a task, each name stands for one question. */
function keyInTask(key: string, round: number): string {
  return `${key}.${round}`;
}

function keyInCall(key: string): string {
  return key.slice(0, key.lastIndexOf("."));
}

/** The task after a run of its call. */
function concluded(record: TaskRecord, outcome: CallOutcome, now: number, log: Logger): TaskRecord {
  if ("error" in outcome) {
    const { code, message, data } = publicError(outcome.error, log);
    const error = { code, message, ...(data !== undefined && { data }) };
    return changed(record, { status: "failed", statusMessage: message, error }, now);
  }
  const { result } = outcome;
  if (result.resultType !== "input_required") {
    return changed(record, { status: "completed", result: withText(result) }, now);
  }
  const rounds = record.rounds + 1;
  const { inputRequests = {}, requestState } = result as QuestionsOfCall;
  const requests = Object.entries(inputRequests).map(([key, request]) => [
    keyInTask(key, rounds),
    request,
  ]);
  const questions = { requests: Object.fromEntries(requests), answers: {}, requestState };
  return changed(record, { status: "input_required", rounds, questions }, now);
}

type QuestionsOfCall = {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: unknown;
};

/** The result with a text for a structured value that is no object, as the SDK adds it to answers. */
function withText(result: Result): Result {
  const { structuredContent: value, content } = result;
  if (value === undefined || isObject(value)) return result;
  if (Array.isArray(content) && content.length > 0) return result;
  return { ...result, content: [text(JSON.stringify(value))] };
}
