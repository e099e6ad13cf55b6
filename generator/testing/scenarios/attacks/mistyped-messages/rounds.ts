import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { messagesOf, type Json } from "./messages.js";
import { randomFrame, type Frame } from "./mistyping.js";
import type { Reply, Road } from "./roads.js";

/** What became of the frames of some rounds. */
export interface Rounds {
  /** How many frames were answered with a result, with each code of an error, or with nothing. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The first wrong answers. */
  readonly wrong: readonly string[];
}

/** Most wrong answers that are told. */
const MOST_TOLD = 10;

/** Longest message of an error. */
const MOST_CHARACTERS = 4_096;

/** Sends frames over all roads, one after the other on each, and judges what comes back. */
export async function sendFrames(
  roads: readonly Road[],
  framesOf: (road: Road) => Iterable<Frame>,
): Promise<Rounds> {
  const outcomes = new Map<string, number>();
  const wrong: string[] = [];
  await Promise.all(
    roads.map(async (road) => {
      for (const frame of framesOf(road)) {
        const wanted = wantedAnswer(frame.value);
        const isAnswer =
          wanted === undefined ? undefined : (message: Json) => isAnswerTo(wanted, message);
        const reply = await road.send(frame, isAnswer);
        const problem = problemOf(road, wanted, reply);
        const outcome = outcomeOf(wanted, reply);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (problem !== undefined && wrong.length < MOST_TOLD) {
          const shown = JSON.stringify(reply).slice(0, 300);
          wrong.push(`${road.name}: ${problem}: ${frame.text.slice(0, 300)}\n    ${shown}`);
        }
        if (!road.server.isAlive) break;
      }
    }),
  );
  return {
    outcomes,
    wrong: [...wrong, ...new Set(roads.flatMap(({ server }) => server.failures))],
  };
}

/** Frames with values of wrong types at random places, the same for the same seed. */
export function* randomFrames(road: Road, seed: number, count: number): Generator<Frame> {
  const messages = messagesOf(road.era);
  for (let index = 0; index < count; index++) {
    yield randomFrame(messages, `r${seed}-${index}`, randomNumbers(seed * 1_000_003 + index));
  }
}

type Id = string | number;

/** The id with which a frame must be answered; undefined for what is no request. */
function wantedAnswer(value: unknown): Id | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { id, method, result, error } = value as Json;
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
  if (typeof id === "string") return id;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined;
}

/**
 * Whether a message answers the request with an id. A subscription is answered by its acknowledgement, too, and a call by its
 * question to the user, which nobody answers here.
 */
function isAnswerTo(wanted: Id, { id, method, params }: Json): boolean {
  if (method === undefined) return id === wanted;
  if (method === "elicitation/create") return true;
  if (method !== "notifications/subscriptions/acknowledged") return false;
  const { _meta: meta } = params as { readonly _meta?: Json };
  return meta?.["io.modelcontextprotocol/subscriptionId"] === wanted;
}

interface AnsweredError {
  readonly code?: unknown;
  readonly message?: unknown;
}

function errorsIn({ messages }: Reply): readonly AnsweredError[] {
  return messages.flatMap(({ error }) => (error === undefined ? [] : [error as AnsweredError]));
}

function outcomeOf(wanted: Id | undefined, reply: Reply): string {
  const [error] = errorsIn(reply);
  if (error !== undefined) return `error ${String(error.code)}`;
  if (wanted === undefined) return "nothing";
  return "result";
}

function problemOf(road: Road, wanted: Id | undefined, reply: Reply): string | undefined {
  const { messages, status = 200, isClosed } = reply;
  if (!road.server.isAlive) return "the process has ended";
  if (isClosed) return "the connection was closed";
  if (status >= 500) return `status ${status}`;
  if (!messages.some(({ id, result }) => isHonest(id, result))) return "an honest client waits";
  const answers = messages.filter((message) => wanted !== undefined && isAnswerTo(wanted, message));
  const isRefused = status >= 400 && errorsIn(reply).length > 0;
  if (wanted !== undefined && answers.length === 0 && !isRefused) return "no answer";
  const responses = answers.filter(({ method }) => method === undefined);
  if (responses.length > 1) return "more than one answer";
  for (const error of errorsIn(reply)) {
    const problem = problemOfError(error);
    if (problem !== undefined) return problem;
  }
  return /\n {4}at |\\n {4}at |node:internal|\/dist\//.test(JSON.stringify(messages))
    ? "a stack"
    : undefined;
}

function isHonest(id: unknown, result: unknown): boolean {
  return String(id).startsWith("honest ") && JSON.stringify(result)?.includes("Hello, Ada!");
}

function problemOfError({ code, message }: AnsweredError): string | undefined {
  if (!Number.isSafeInteger(code)) return "an error without a code";
  if (typeof message !== "string" || message === "") return "an error without a message";
  if (code === -32603) return "an internal error";
  if (/"path":|"code": ?"|\[\n/.test(message)) return "an error that quotes its schema";
  return message.length > MOST_CHARACTERS ? "a long error" : undefined;
}
