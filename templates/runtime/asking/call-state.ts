import { randomUUID } from "node:crypto";
import { digestOf } from "../sealing/digest.js";
import type { Seal } from "../sealing/seal.js";
import type { Caller } from "../context/context.js";
import { invalidParams, RequestRefused, ToolError } from "../engine/errors.js";
import type { ExactNumbers, RoundedNumber } from "../engine/rounded-numbers.js";
import type { HandlerCall } from "../engine/runtime.js";

/** The time for which the state of a call is valid after a question, in milliseconds. */
const stateLifeMs = 60 * 60 * 1_000;
/** Longest sealed state, in bytes. */
const maxStateLength = 64 * 1_024;
/** Most rounds of questions in one call. */
const maxRounds = 8;

/** An answer of the client. It is used when the handler asks its question, in this run or a later one. */
export interface ClientAnswer {
  /** Digest of the question that it answers; absent if the client answered before it was asked. */
  readonly digest?: string;
  readonly response: unknown;
  /** The numbers in it that JavaScript cannot represent exactly. */
  readonly rounded: readonly RoundedNumber[];
  /** Whether it came with this request. */
  readonly isNew: boolean;
}

/** A question that the client was asked and has not answered, or whose answer does not fit. */
export interface AskedQuestion {
  readonly digest: string;
  /** The number of times that it was asked. */
  readonly times: number;
}

/** The state of a call: what a run has from the earlier runs of the same call. */
export interface CallState {
  readonly runId: string;
  /** The number of results with questions that the client got. */
  readonly rounds: number;
  readonly answers: Map<string, ClientAnswer>;
  readonly asked: ReadonlyMap<string, AskedQuestion>;
  /** Results of `ctx.once`. */
  readonly steps: Map<string, unknown>;
}

type SealedAnswer = readonly [
  key: string,
  digest: string,
  response: unknown,
  rounded: readonly RoundedNumber[],
];

/** The state of a call in the form that clients keep. Lists of pairs, since any text may be a key. */
interface SealedState {
  readonly runId: string;
  readonly rounds: number;
  readonly answers: readonly SealedAnswer[];
  readonly asked: readonly (readonly [key: string, digest: string, times: number])[];
  /** The value is absent if the step returned undefined. */
  readonly steps: readonly (readonly [key: string, value?: unknown])[];
  /** Digest of the call to which the state belongs. */
  readonly call: string;
  readonly expires: number;
}

/** Encrypts the states of calls for clients, and decrypts them again. */
export class CallStates {
  readonly #seal: Seal;
  readonly #now: () => number;
  readonly #exactNumbers: ExactNumbers | undefined;

  constructor(seal: Seal, now: () => number, exactNumbers?: ExactNumbers) {
    this.#seal = seal;
    this.#now = now;
    this.#exactNumbers = exactNumbers;
  }

  /**
   * Returns the state of the call that a request continues, or a new one.
   * @throws RequestRefused -32602 if the state is of another server or another call, or has expired
   */
  open(caller: Caller, call: HandlerCall, warn: (reason: string) => void): CallState {
    const { inputResponses = {}, requestState } = caller;
    const received = this.#received(inputResponses);
    if (requestState === undefined) return newState(received);
    const sealed = typeof requestState === "string" ? this.#seal.open(requestState) : undefined;
    const problem = this.#problemOf(sealed as SealedState | undefined, digestOfCall(call, caller));
    if (problem !== undefined) {
      warn(problem);
      const data = { reason: "invalid_request_state" };
      throw new RequestRefused(invalidParams("Invalid or expired requestState", data));
    }
    return continued(sealed as SealedState, received);
  }

  #received(responses: Readonly<Record<string, unknown>>): ReceivedAnswers {
    const entries = Object.entries(responses).map(([key, response]) => {
      const rounded = this.#exactNumbers?.restore({ response }) ?? [];
      return [key, { response, rounded, isNew: true }] as const;
    });
    return new Map(entries);
  }

  /**
   * Returns the encrypted text that the client must send back with its answers.
   * @throws ToolError if it would be too long, or the call has had too many rounds
   */
  seal(state: CallState, asked: CallState["asked"], caller: Caller, call: HandlerCall): string {
    const rounds = state.rounds + 1;
    if (rounds > maxRounds) {
      throw new ToolError(`The call asked in more than ${maxRounds} rounds`);
    }
    const sealed: SealedState = {
      runId: state.runId,
      rounds,
      answers: [...state.answers].flatMap(([key, { digest, response, rounded }]) =>
        digest === undefined ? [] : [[key, digest, response, rounded] as const],
      ),
      asked: [...asked].map(([key, { digest, times }]) => [key, digest, times] as const),
      steps: [...state.steps].map((step) => (step[1] === undefined ? [step[0]] : step)),
      call: digestOfCall(call, caller),
      expires: this.#now() + stateLifeMs,
    };
    const text = this.#seal.seal(sealed);
    if (text.length > maxStateLength) throw new ToolError(describeExcess(sealed, text.length));
    return text;
  }

  #problemOf(sealed: SealedState | undefined, call: string): string | undefined {
    if (sealed === undefined) return "it was not sealed with this server's key, or was changed";
    if (sealed.call !== call) return "it belongs to another call or another caller";
    const remainingMs = sealed.expires - this.#now();
    if (remainingMs < 0) return "it has expired";
    // The clock of the server that made it was far ahead, so that the state would be valid for too long.
    return remainingMs > 2 * stateLifeMs ? "it would expire too late" : undefined;
  }
}

/** State is valid only for one item with the same arguments, and for the same caller. */
function digestOfCall({ name, input }: HandlerCall, { authentication }: Caller): string {
  return digestOf([name, input, authentication?.principal ?? null]);
}

/** The answers that came with a request, by the keys of their questions. */
type ReceivedAnswers = ReadonlyMap<string, ClientAnswer>;

function newState(received: ReceivedAnswers): CallState {
  return {
    runId: randomUUID(),
    rounds: 0,
    answers: new Map(received),
    asked: new Map(),
    steps: new Map(),
  };
}

/** Returns the state with the new answers. Responses to questions that were not asked are dropped. */
function continued(sealed: SealedState, received: ReceivedAnswers): CallState {
  const { runId, rounds, answers, asked, steps } = sealed;
  const earlier = answers.map(([key, digest, response, rounded]): [string, ClientAnswer] => [
    key,
    { digest, response, rounded, isNew: false },
  ]);
  const latest = asked.flatMap(([key, digest]): [string, ClientAnswer][] => {
    const answer = received.get(key);
    return answer === undefined ? [] : [[key, { ...answer, digest }]];
  });
  return {
    runId,
    rounds,
    answers: new Map([...earlier, ...latest]),
    asked: new Map(asked.map(([key, digest, times]) => [key, { digest, times }])),
    steps: new Map(steps.map(([key, value]) => [key, value])),
  };
}

/** Describes state that is too long, with its largest parts, so that the author of the handler can shorten them. */
function describeExcess({ answers, steps }: SealedState, length: number): string {
  const parts = [
    ...answers.map(([key, , response]) => ({ name: `answer ${key}`, size: sizeOf(response) })),
    ...steps.map(([key, value]) => ({ name: `step ${key}`, size: sizeOf(value) })),
  ];
  const largest = parts
    .sort((left, right) => right.size - left.size)
    .slice(0, 3)
    .map(({ name, size }) => `${name} (${inKib(size)})`);
  return `The call cannot ask further: its answers and steps so far take ${inKib(length)} of at most ${inKib(maxStateLength)}. Largest: ${largest.join(", ")}`;
}

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;
const inKib = (bytes: number): string => `${Math.ceil(bytes / 1_024)} KiB`;
