import type { InputRequest } from "@modelcontextprotocol/server";
import type { Asker } from "./context.js";
import type { AskedQuestion, CallState, ClientAnswer } from "./call-state.js";
import { digestOf } from "../sealing/digest.js";
import { cannotBeAsked, offers } from "./client-features.js";
import type { Question, Reading } from "./questions.js";
import type { Replay } from "./replay.js";
import type { Caller } from "../context/context.js";
import { ToolError } from "../engine/errors.js";
import type { ExactNumbers } from "../engine/rounded-numbers.js";
import { asJson } from "./json-value.js";

/** Most times that a question is asked until an answer fits. */
const maxTimes = 4;
const keyForm = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

/**
 * Thrown at a question without an answer, to end the handler's run. When the answer comes, the handler runs
 * again from the top; until then, none of its code should go on.
 */
class Suspension extends Error {
  override readonly name = "Suspension";

  constructor() {
    super("The handler waits for an answer and will be run again; pass this error on");
  }
}

/** Whether an error that a handler has caught ends its run at a question. The handler must then throw it again. */
export function isSuspend(error: unknown): boolean {
  return error instanceof Suspension;
}

/** How a run ends. */
export type RunEnding =
  /** The handler asked wrongly. That fails the call, whatever the handler does next. */
  | { readonly kind: "misused"; readonly error: Error }
  /** No question has ended the run. */
  | { readonly kind: "byHandler" }
  /** A question has ended the run, and the client cannot be asked. */
  | { readonly kind: "unanswerable"; readonly error: Error }
  /** A question has ended the run, and the client is to be asked. */
  | { readonly kind: "suspended" };

/** A question of this run that the client must answer. */
interface PendingQuestion extends AskedQuestion {
  readonly request: InputRequest;
}

/**
 * One run of a handler that may ask. A question is recorded immediately. It is answered, or ends the run, one turn
 * of the event loop later, so that flows that run in parallel ask in the same round.
 */
export class AskingRun implements Asker {
  /** Questions without an answer, by key. */
  readonly pending = new Map<string, PendingQuestion>();
  readonly #state: CallState;
  readonly #caller: Caller;
  readonly #replay: Replay;
  readonly #exactNumbers: ExactNumbers | undefined;
  readonly #keys = new Set<string>();
  readonly #steps = new Map<string, Promise<unknown>>();
  #misuse: Error | undefined;
  /** Why the client cannot be asked. */
  #failure: Error | undefined;
  #isSuspended = false;
  #isOver = false;

  constructor(state: CallState, caller: Caller, replay: Replay, exactNumbers?: ExactNumbers) {
    this.#state = state;
    this.#caller = caller;
    this.#replay = replay;
    this.#exactNumbers = exactNumbers;
  }

  /** How the run ends, by the questions so far. */
  get ending(): RunEnding {
    if (this.#misuse !== undefined) return { kind: "misused", error: this.#misuse };
    if (!this.#isSuspended) return { kind: "byHandler" };
    if (this.#failure !== undefined) return { kind: "unanswerable", error: this.#failure };
    return { kind: "suspended" };
  }

  /**
   * Resolves with the answer to a question.
   * @param key A name for the question, instead of one made from its content.
   */
  ask<Answer>(question: Question<Answer>, key?: string): Promise<Answer> {
    const answered = this.#isOver ? undefined : this.#record(question, key);
    return withoutRejection(
      new Promise<Answer>((resolve, reject) => {
        setImmediate(() => {
          if (answered === undefined) {
            this.#isSuspended = true;
            return reject(new Suspension());
          }
          if (answered.isNew) this.#replay.catchUp();
          if (answered.reading.kind === "answer") resolve(answered.reading.answer);
          else reject(answered.reading.error);
        });
      }),
    );
  }

  /** Resolves with the result of a step that runs once in all runs of a call. A step that fails runs again. */
  once(key: string, step: () => unknown): Promise<unknown> {
    const running = this.#steps.get(key);
    if (running !== undefined) return running;
    if (this.#state.steps.has(key)) return Promise.resolve(this.#state.steps.get(key));
    // Its result could not be kept anymore.
    if (this.#isOver) return withoutRejection(Promise.reject(new Suspension()));
    this.#replay.catchUp();
    const result = withoutRejection(this.#runStep(key, step));
    this.#steps.set(key, result);
    const done = (): void => void this.#steps.delete(key);
    result.then(done, done);
    return result;
  }

  /** Resolves when no step is running. After that, the run accepts no questions and no steps. */
  async end(): Promise<void> {
    while (this.#steps.size > 0) await Promise.allSettled(this.#steps.values());
    this.#isOver = true;
  }

  async #runStep(key: string, step: () => unknown): Promise<unknown> {
    const value = asJson(await step());
    this.#state.steps.set(key, value);
    return value;
  }

  /** Returns the client's answer. If there is none, it adds the question to `pending` and returns undefined. */
  #record<Answer>(question: Question<Answer>, explicitKey?: string): Answered<Answer> | undefined {
    const digest = digestOf(question.request);
    const key = this.#keyOf(question, digest, explicitKey);
    if (key === undefined) return undefined;
    const { answers } = this.#state;
    const answer = answers.get(key);
    let problem: string | undefined;
    if (answer !== undefined && isAnswerTo(answer, digest)) {
      const reading = question.read(answer.response, (schema) =>
        this.#exactNumbers?.problemOf(answer.rounded, { properties: { response: schema } }),
      );
      if (reading.kind !== "invalid") {
        answers.set(key, { ...answer, digest });
        return { reading, isNew: answer.isNew };
      }
      problem = reading.problem;
    }
    answers.delete(key);
    this.#request(question, key, digest, problem);
    return undefined;
  }

  /** Returns the key of a question in requests and in the state; undefined if the handler may not use it. */
  #keyOf(question: Question<unknown>, digest: string, explicitKey?: string): string | undefined {
    const key = explicitKey ?? this.#unusedKey(`${question.name}_${digest}`);
    if (!keyForm.test(key)) {
      this.#misuse ??= new Error(`"${key}" cannot be the key of a question: ${String(keyForm)}`);
    } else if (this.#keys.has(key)) {
      this.#misuse ??= new Error(`The key "${key}" was used for two questions of one run`);
    } else {
      this.#keys.add(key);
      return key;
    }
    return undefined;
  }

  /** Adds a number to the key of a question that is asked several times in a run: `_2` for the second. */
  #unusedKey(key: string): string {
    if (!this.#keys.has(key)) return key;
    let count = 2;
    while (this.#keys.has(`${key}_${count}`)) count += 1;
    return `${key}_${count}`;
  }

  #request(question: Question<unknown>, key: string, digest: string, problem?: string): void {
    const { needs, request, text } = question;
    const declared = this.#caller.clientCapabilities();
    if (!offers(declared, needs)) {
      this.#failure ??= cannotBeAsked(question, declared, this.#caller);
      return;
    }
    const before = this.#state.asked.get(key);
    const times = before?.digest === digest ? before.times + 1 : 1;
    if (times > maxTimes) {
      const why = problem === undefined ? "" : `: ${problem}`;
      this.#failure ??= new ToolError(`No answer to "${text}" in ${maxTimes} attempts${why}`);
      return;
    }
    this.pending.set(key, { request, digest, times });
  }
}

/** A question that the client has answered. */
interface Answered<Answer> {
  readonly reading: Exclude<Reading<Answer>, { kind: "invalid" }>;
  readonly isNew: boolean;
}

/** Whether an answer is to this question, and not to another one that had the same key before. */
function isAnswerTo({ digest }: ClientAnswer, questionDigest: string): boolean {
  return digest === undefined || digest === questionDigest;
}

/** Returns a promise whose rejection does not end the process if the handler never awaits it. */
function withoutRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
