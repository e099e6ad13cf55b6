import {
  MissingRequiredClientCapabilityError,
  type ClientCapabilities,
  type InputRequest,
} from "@modelcontextprotocol/server";
import type { Asker } from "./context.js";
import type { AskedQuestion, Chain, ClientAnswer } from "./chain.js";
import { digestOf } from "./digest.js";
import { capabilities, type Question, type Reading } from "./questions.js";
import type { Replay } from "./replay.js";
import { clientFeatures } from "./client-features.js";
import type { Caller } from "../context/context.js";
import { RequestRefused, ToolError } from "../engine/errors.js";
import type { ExactNumbers } from "../engine/rounded-numbers.js";
import { asJson } from "./json-value.js";

/** How often a question may be asked until an answer fits: once, and three times more. */
const mostTimes = 4;
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

/** Whether an error that a handler has caught is the end of its run at a question: then throw it again. */
export function isSuspend(error: unknown): boolean {
  return error instanceof Suspension;
}

/** A question of this run that the client is to answer. */
interface PendingQuestion extends AskedQuestion {
  readonly request: InputRequest;
}

/**
 * One run of a handler that may ask. A question is noted at once and answered, or ended with the
 * suspension, a turn of the event loop later: so flows that run in parallel ask together.
 */
export class AskingRun implements Asker {
  /** Questions without an answer, by key. */
  readonly pending = new Map<string, PendingQuestion>();
  /** A mistake in how the handler asks. It fails the call, whatever the handler does next. */
  misuse: Error | undefined;
  /** Why the client cannot be asked what the handler wants to ask. */
  failure: Error | undefined;
  /** Whether the handler was told that its run has ended. */
  isSuspended = false;
  readonly #chain: Chain;
  readonly #caller: Caller;
  readonly #replay: Replay;
  readonly #exactNumbers: ExactNumbers | undefined;
  readonly #keys = new Set<string>();
  readonly #steps = new Map<string, Promise<unknown>>();
  #isOver = false;

  constructor(chain: Chain, caller: Caller, replay: Replay, exactNumbers?: ExactNumbers) {
    this.#chain = chain;
    this.#caller = caller;
    this.#replay = replay;
    this.#exactNumbers = exactNumbers;
  }

  /**
   * The answer to a question, once there is one. @param key A name for the question, instead of one made from
   * its content.
   */
  ask<Answer>(question: Question<Answer>, key?: string): Promise<Answer> {
    const noted = this.#isOver ? undefined : this.#note(question, key);
    return handedOut(
      new Promise<Answer>((resolve, reject) => {
        setImmediate(() => {
          if (noted === undefined) {
            this.isSuspended = true;
            return reject(new Suspension());
          }
          if (noted.isNew) this.#replay.catchUp();
          if (noted.reading.kind === "answer") resolve(noted.reading.answer);
          else reject(noted.reading.error);
        });
      }),
    );
  }

  /** The result of a step that is taken once in a chain of runs; a step that fails is taken again. */
  once(key: string, step: () => unknown): Promise<unknown> {
    const underWay = this.#steps.get(key);
    if (underWay !== undefined) return underWay;
    if (this.#chain.steps.has(key)) return Promise.resolve(this.#chain.steps.get(key));
    // Its result could not be kept any more.
    if (this.#isOver) return handedOut(Promise.reject(new Suspension()));
    this.#replay.catchUp();
    const taken = handedOut(this.#take(key, step));
    this.#steps.set(key, taken);
    const done = (): void => void this.#steps.delete(key);
    taken.then(done, done);
    return taken;
  }

  /** Resolves when no step is under way; from then on the run takes no questions and no steps. */
  async end(): Promise<void> {
    while (this.#steps.size > 0) await Promise.allSettled(this.#steps.values());
    this.#isOver = true;
  }

  async #take(key: string, step: () => unknown): Promise<unknown> {
    const value = asJson(await step());
    this.#chain.steps.set(key, value);
    return value;
  }

  /** The client's answer. Where there is none, it notes the question and returns undefined. */
  #note<Answer>(question: Question<Answer>, explicitKey?: string): Known<Answer> | undefined {
    const digest = digestOf(question.request);
    const key = this.#keyOf(question, digest, explicitKey);
    if (key === undefined) return undefined;
    const { answers } = this.#chain;
    const answer = answers.get(key);
    let problem: string | undefined;
    if (answer !== undefined && isFor(answer, digest)) {
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

  /** The name by which client and state know a question; undefined where the handler may not use it. */
  #keyOf(question: Question<unknown>, digest: string, explicitKey?: string): string | undefined {
    const key = explicitKey ?? this.#unusedKey(`${question.name}_${digest}`);
    if (!keyForm.test(key)) {
      this.misuse ??= new Error(`"${key}" cannot be the key of a question: ${String(keyForm)}`);
    } else if (this.#keys.has(key)) {
      this.misuse ??= new Error(`The key "${key}" was used for two questions of one run`);
    } else {
      this.#keys.add(key);
      return key;
    }
    return undefined;
  }

  /** The same question may be asked several times in a run: `_2` is the second. */
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
      this.failure ??= cannotBeAsked(question, declared, this.#caller);
      return;
    }
    const before = this.#chain.asked.get(key);
    const times = before?.digest === digest ? before.times + 1 : 1;
    if (times > mostTimes) {
      const why = problem === undefined ? "" : `: ${problem}`;
      this.failure ??= new ToolError(`No answer to "${text}" in ${mostTimes} attempts${why}`);
      return;
    }
    this.pending.set(key, { request, digest, times });
  }
}

interface Known<Answer> {
  readonly reading: Exclude<Reading<Answer>, { kind: "invalid" }>;
  readonly isNew: boolean;
}

/** An answer is valid for the question that was asked, and not for another that has its key now. */
function isFor({ digest }: ClientAnswer, asked: string): boolean {
  return digest === undefined || digest === asked;
}

/** A promise that the handler may leave alone: a rejection that nobody awaits must not end the server. */
function handedOut<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

function offers(
  declared: ClientCapabilities | undefined,
  needs: Question<unknown>["needs"],
): boolean {
  if (needs === "sampleWithTools") return declared?.sampling?.tools !== undefined;
  return clientFeatures(declared)[needs];
}

function cannotBeAsked(
  { name, needs }: Question<unknown>,
  declared: ClientCapabilities | undefined,
  { era }: Caller,
): Error {
  if (era === "legacy" && declared === undefined) {
    return new ToolError(
      `Nobody can answer "${name}": clients before 2026-07-28 are asked only within a session, and this request belongs to none`,
    );
  }
  const requiredCapabilities = capabilities[needs];
  const feature = Object.keys(requiredCapabilities).join();
  const message = `The client does not offer what "${name}" needs: ${feature} (${needs})`;
  if (era === "legacy") return new ToolError(message);
  return new RequestRefused(
    new MissingRequiredClientCapabilityError({ requiredCapabilities }, message),
  );
}
