import type { InputRequest, InputRequiredResult } from "@modelcontextprotocol/server";
import { offers } from "../asking/client-features.js";
import { InputRefused } from "../asking/input-refused.js";
import type { Caller } from "../context/context.js";
import { invalidParams, RequestRefused, ToolError } from "../engine/errors.js";
import { isObject } from "../engine/request-parameters.js";
import {
  ProtocolResult,
  runOnce,
  type HandlerCall,
  type HandlerRunner,
  type Runtime,
} from "../engine/runtime.js";
import { digestOf } from "../sealing/digest.js";
import { Seal } from "../sealing/seal.js";
import type { ServerOptions } from "../server/create-server.js";
import { LinkNeeded, type LinkedAccounts } from "./accounts.js";
import { holderOfCaller } from "./holders.js";

/** How long a person may take from one question to the next, in milliseconds. */
const ANSWER_MS = 10 * 60_000;

/** Most questions of one call. */
const MAX_QUESTIONS = 10;

/** Longest sealed state, in characters. */
const MAX_STATE_LENGTH = 65_536;

/** What the client keeps while a call waits until an account is linked. */
interface SealedLink {
  /** Digest of the item, its arguments and the caller. */
  readonly call: string;
  readonly upstream: string;
  /** What the person was asked: to open the page, or for the code that it shows. */
  readonly asked: "page" | "code";
  readonly questions: number;
  readonly expires: number;
  /** The state and the answers with which the handler had run. */
  readonly inner: Pick<Caller, "requestState" | "inputResponses">;
}

/** The values of a server that has linked accounts. */
export interface RuntimeWithAccounts {
  readonly accounts: LinkedAccounts;
}

/** The key of the question among the requests to the client. Its state makes an answer one of this question. */
const KEY = "account";

/**
 * Makes the runner of handlers that ask upstreams in the name of their callers. Where the caller has not linked an account,
 * the person is asked to open a page and then for the code that the page shows. Then the handler runs again from the top.
 *
 * @param inner Runs the handlers that ask something themselves; undefined if none does.
 * @param now Returns the time; for tests.
 */
export function createLinking(
  inner: HandlerRunner | undefined,
  { requestStateKeys }: Pick<ServerOptions, "requestStateKeys"> = {},
  now: () => number = Date.now,
): HandlerRunner {
  const seal = new Seal(requestStateKeys, "mcp account question");
  return {
    runs: () => true,
    run: (runtime, caller, call) => {
      const { accounts } = runtime as Runtime & RuntimeWithAccounts;
      return new LinkingCall({ inner, seal, now, accounts, runtime, caller, call }).run();
    },
  };
}

interface LinkingParts extends RuntimeWithAccounts {
  readonly inner: HandlerRunner | undefined;
  readonly seal: Seal;
  readonly now: () => number;
  readonly runtime: Runtime;
  readonly caller: Caller;
  readonly call: HandlerCall;
}

/** One request of a call that may wait until an account is linked. */
class LinkingCall {
  readonly #parts: LinkingParts;

  constructor(parts: LinkingParts) {
    this.#parts = parts;
  }

  async run(): Promise<unknown> {
    const { caller } = this.#parts;
    const sealed = this.#opened();
    if (sealed === undefined) return this.#try(caller, 0);
    const { inputResponses: _responses, requestState: _state, ...rest } = caller;
    const again = { ...rest, ...sealed.inner };
    const next = await this.#nextQuestion(sealed);
    if (next === undefined) return this.#try(again, sealed.questions);
    return this.#ask(next, sealed.upstream, again, sealed.questions);
  }

  /** The state of this call; undefined if the request continues no question of this runner. @throws RequestRefused */
  #opened(): SealedLink | undefined {
    const { seal, now, caller } = this.#parts;
    const { requestState } = caller;
    if (typeof requestState !== "string") return undefined;
    const sealed = seal.open(requestState) as SealedLink | undefined;
    if (sealed === undefined) return undefined;
    const remainingMs = sealed.expires - now();
    if (sealed.call === this.#digest() && remainingMs >= 0 && remainingMs <= 2 * ANSWER_MS)
      return sealed;
    const data = { reason: "invalid_request_state" };
    throw new RequestRefused(invalidParams("Invalid or expired requestState", data));
  }

  /**
   * Reads the answer. @returns the next question; undefined if the handler may run
   * @throws InputRefused if the person has declined; ToolError if the code was of no use
   */
  async #nextQuestion({ asked, upstream }: SealedLink): Promise<Question | undefined> {
    const { accounts, caller } = this.#parts;
    const answer = caller.inputResponses?.[KEY];
    const { action, content } = isObject(answer) ? answer : {};
    if (action === "decline" || action === "cancel") {
      throw new InputRefused(`Connect your account with ${upstream}`, action);
    }
    const holder = holderOfCaller(upstream, caller.authentication);
    const isLinked = asked === "page" && (await accounts.isLinked(upstream, holder));
    if (isLinked) return undefined;
    if (action !== "accept") return { asked, url: accounts.linkOf(upstream, holder) };
    if (asked === "page") return { asked: "code" };
    const code = isObject(content) ? content["code"] : undefined;
    const outcome = await accounts.enter(upstream, holder, typeof code === "string" ? code : "");
    if (outcome === "linked") return undefined;
    if (outcome === "wrong") return { asked: "code", isAgain: true };
    throw new ToolError(GONE);
  }

  /** Runs the handler. @returns its result, or the question to the person where an account is missing */
  async #try(caller: Caller, questions: number): Promise<unknown> {
    const { inner, runtime, call } = this.#parts;
    try {
      if (inner?.runs(call.item) === true) return await inner.run(runtime, caller, call);
      return await runOnce(runtime, caller, call);
    } catch (error) {
      if (!(error instanceof LinkNeeded)) throw error;
      const declared = caller.clientCapabilities();
      if (!offers(declared, "elicitUrl") || !offers(declared, "elicit")) throw error;
      return this.#ask({ asked: "page", url: error.url }, error.upstream, caller, questions);
    }
  }

  #ask(question: Question, upstream: string, caller: Caller, questions: number): ProtocolResult {
    const { seal, now } = this.#parts;
    if (questions >= MAX_QUESTIONS) throw new ToolError(GONE);
    const { requestState, inputResponses } = caller;
    const sealed: SealedLink = {
      ...{ call: this.#digest(), upstream, asked: question.asked, questions: questions + 1 },
      expires: now() + ANSWER_MS,
      inner: {
        ...(requestState !== undefined && { requestState }),
        ...(inputResponses !== undefined && { inputResponses }),
      },
    };
    const text = seal.seal(sealed);
    if (text.length > MAX_STATE_LENGTH)
      throw new ToolError("The answers of this call are too long");
    const request = { method: "elicitation/create", params: paramsOf(question, upstream) };
    const result: InputRequiredResult = {
      resultType: "input_required",
      inputRequests: { [KEY]: request as InputRequest },
      requestState: text,
    };
    return new ProtocolResult(result);
  }

  #digest(): string {
    const { call, caller } = this.#parts;
    const { principal = null } = caller.authentication ?? {};
    return digestOf(["account", call.name, call.input, principal]);
  }
}

/** Why no account is linked, for the caller. */
export const GONE =
  "No account waits for this code: it was entered wrongly too often, has expired, or nobody has signed in. Call again, and the user gets a new link.";

/** What a person is asked. */
interface Question {
  readonly asked: "page" | "code";
  /** Where the person signs in, for the page. */
  readonly url?: string;
  /** Whether the code before was wrong. */
  readonly isAgain?: boolean;
}

function paramsOf({ asked, url, isAgain }: Question, upstream: string): object {
  if (asked === "page") {
    const message = `Connect your account with ${upstream}: sign in on this page, which then shows a code for this client. The link is for you alone.`;
    return { mode: "url", message, url };
  }
  const wrong = isAgain === true ? "That was not the code. " : "";
  return {
    message: `${wrong}Which code did the page show after you had signed in with ${upstream}? Enter it only if you have signed in there yourself.`,
    requestedSchema: {
      type: "object",
      properties: { code: { type: "string", title: "Code", minLength: 1, maxLength: 32 } },
      required: ["code"],
    },
  };
}
