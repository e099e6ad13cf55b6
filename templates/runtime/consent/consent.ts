import { randomBytes } from "node:crypto";
import type { InputRequest, InputRequiredResult, Result } from "@modelcontextprotocol/server";
import { cannotBeAsked, offers } from "../asking/client-features.js";
import { digestOf } from "../sealing/digest.js";
import { InputRefused } from "../asking/input-refused.js";
import { Seal } from "../sealing/seal.js";
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
import { withFields } from "../observe/log.js";
import type { ServerOptions } from "../server/create-server.js";
import { holderOf, MemoryNonces, type Nonces, type Redemption } from "./nonces.js";
import { consentQuestion } from "./question.js";

/** How long a user may take to answer, in milliseconds. */
const questionLifeMs = 5 * 60 * 1_000;
/** How long the handler's own questions may take after that, in milliseconds: as long as without consent. */
const callLifeMs = 60 * 60 * 1_000;

/** What the client keeps between the question and the answer, or while a call with consent asks further. */
interface SealedConsent {
  /** Digest of the tool, its arguments, the caller and the text of the question. */
  readonly call: string;
  /** Used once, so that one answer runs the handler once. */
  readonly nonce: string;
  readonly issuer: string;
  readonly expires: number;
  /** Present once the user has consented: the request state of the handler's own questions. */
  readonly consented?: string;
}

/** Why a call does not run with a state. */
interface Refusal {
  /** For the log. */
  readonly reason: string | undefined;
  /** For the caller, where another try has a chance; without it, the state is of no use. */
  readonly text?: string;
}

/** Why a call does not run with a state that was not redeemed. */
const UNREDEEMED: Readonly<Record<Exclude<Redemption, "redeemed">, Refusal>> = {
  used: { reason: "it was used before" },
  full: {
    reason: "its caller, or all callers together, have used too many",
    text: "Too many calls were confirmed in the last minutes, so that this one has not run. Try again in some minutes.",
  },
  unknown: {
    reason: "nobody can tell whether it was used before",
    text: "The server cannot tell at the moment whether this confirmation was used before, so that the call has not run. Try again in a minute.",
  },
};

/** The settings of a server that consent needs. */
type ConsentOptions = Pick<ServerOptions, "requestStateKeys" | "nonces">;

/**
 * Makes the runner of handlers that run only if the user consents. The question goes to the client with a sealed state,
 * which comes back with the answer. It is of use once, within five minutes, for the same tool, arguments, caller and text.
 *
 * @param inner Runs the handlers that ask something themselves; undefined if none does.
 * @param now Returns the time; for tests.
 */
export function createConsent(
  inner: HandlerRunner | undefined,
  { requestStateKeys, nonces = new MemoryNonces() }: ConsentOptions = {},
  now: () => number = Date.now,
): HandlerRunner {
  const gate = new ConsentGate(new Seal(requestStateKeys, "mcp consent"), nonces, now);
  return {
    runs: (item) => item.confirm !== undefined || inner?.runs(item) === true,
    run: async (runtime, caller, call) => {
      const runs = inner?.runs(call.item) === true ? inner : undefined;
      if (call.item.confirm === undefined && runs !== undefined) {
        return runs.run(runtime, caller, call);
      }
      const entry = await gate.enter(runtime, caller, call);
      if (entry instanceof ProtocolResult) return entry;
      if (runs === undefined) return runOnce(runtime, entry, call);
      return gate.leave(await runs.run(runtime, entry, call), caller, call);
    },
  };
}

/** Lets calls pass to their handlers once users have consented. */
class ConsentGate {
  readonly #seal: Seal;
  readonly #nonces: Nonces;
  readonly #now: () => number;

  constructor(seal: Seal, nonces: Nonces, now: () => number) {
    this.#seal = seal;
    this.#nonces = nonces;
    this.#now = now;
  }

  /**
   * Returns the caller with whom the handler may run now, or the question to the user.
   * @throws RequestRefused if the answer is none to the question of this call, or was used before
   * @throws ToolError if no answer can be used at the moment
   * @throws InputRefused if the user has declined
   */
  async enter(
    runtime: Runtime,
    caller: Caller,
    call: HandlerCall,
  ): Promise<Caller | ProtocolResult> {
    const text = questionOf(call);
    const { inputResponses, requestState, ...rest } = caller;
    if (requestState === undefined) return this.#ask(text, caller, call);
    // Until it is known to be a yes to this call.
    caller.consent = "refused";
    const sealed = this.#open(requestState);
    const refusal = await this.#refusalOf(sealed, digestOfCall(call, caller, text), caller);
    if (sealed === undefined || refusal !== undefined) {
      const { requestId } = caller;
      const log = withFields(runtime.log, { requestId, item: call.name });
      log.warning("consent refused", { reason: refusal?.reason });
      throw refusal?.text === undefined ? useless() : new ToolError(refusal.text);
    }
    if (sealed.consented === undefined) readAnswer(text, inputResponses?.[keyOf(text)]);
    caller.consent = "given";
    const { consented } = sealed;
    return consented === undefined ? rest : { ...caller, requestState: consented };
  }

  /** Seals the state of the handler's own questions, so that no answer to them runs the handler twice either. */
  leave(returned: unknown, caller: Caller, call: HandlerCall): unknown {
    if (!(returned instanceof ProtocolResult)) return returned;
    const { requestState, ...result } = returned.result as Result & { requestState?: string };
    if (typeof requestState !== "string") return returned;
    const more = { consented: requestState };
    const state = this.#stateOf(questionOf(call), callLifeMs, caller, call, more);
    return new ProtocolResult({ ...result, requestState: state });
  }

  #ask(text: string, caller: Caller, call: HandlerCall): ProtocolResult {
    const declared = caller.clientCapabilities();
    if (!offers(declared, "elicit")) {
      throw cannotBeAsked({ name: "the user's consent", needs: "elicit" }, declared, caller);
    }
    caller.consent = "asked";
    const params = { message: text, requestedSchema: { type: "object", properties: {} } };
    const request = { method: "elicitation/create", params } as InputRequest;
    const result: InputRequiredResult = {
      resultType: "input_required",
      inputRequests: { [keyOf(text)]: request },
      requestState: this.#stateOf(text, questionLifeMs, caller, call),
    };
    return new ProtocolResult(result);
  }

  #stateOf(
    text: string,
    lifeMs: number,
    caller: Caller,
    call: HandlerCall,
    more: Pick<SealedConsent, "consented"> = {},
  ): string {
    const sealed: SealedConsent = {
      call: digestOfCall(call, caller, text),
      nonce: randomBytes(18).toString("base64url"),
      issuer: this.#nonces.issuer,
      expires: this.#now() + lifeMs,
      ...more,
    };
    return this.#seal.seal(sealed);
  }

  #open(requestState: unknown): SealedConsent | undefined {
    if (typeof requestState !== "string") return undefined;
    return this.#seal.open(requestState) as SealedConsent | undefined;
  }

  /** Why a call does not run with a state; undefined if it does, and then the state is used up. */
  async #refusalOf(
    sealed: SealedConsent | undefined,
    call: string,
    caller: Caller,
  ): Promise<Refusal | undefined> {
    const reason = this.#problemOf(sealed, call);
    if (sealed === undefined || reason !== undefined) return { reason };
    const { nonce, expires } = sealed;
    const redemption = await this.#nonces.redeem(nonce, expires, holderOf(caller));
    return redemption === "redeemed" ? undefined : UNREDEEMED[redemption];
  }

  /** Why a state is of no use for a call; undefined if it is, unless it was used before. */
  #problemOf(sealed: SealedConsent | undefined, call: string): string | undefined {
    if (sealed === undefined) return "it was not sealed with this server's key, or was changed";
    const { issuer, expires, consented } = sealed;
    if (sealed.call !== call) return "it belongs to another call, caller or question";
    const remainingMs = expires - this.#now();
    if (remainingMs < 0) return "it has expired";
    // The clock of the server that made it was far ahead, so that the state would be valid for too long.
    const lifeMs = consented === undefined ? questionLifeMs : callLifeMs;
    if (remainingMs > 2 * lifeMs) return "it would expire too late";
    return issuer === this.#nonces.issuer
      ? undefined
      : "another process has asked, which this one shares nothing with";
  }
}

/** The error for a state that is of no use, now and later. */
function useless(): RequestRefused {
  const text =
    "The confirmation is not one of this call, has expired or was used before. Call again without requestState, and the user is asked again";
  return new RequestRefused(invalidParams(text, { reason: "invalid_request_state" }));
}

function questionOf({ item: { confirm = [] }, input }: HandlerCall): string {
  return consentQuestion(confirm, isObject(input) ? input : {});
}

/** The key of the question among the requests to the client. Its state alone makes an answer one of this question. */
function keyOf(text: string): string {
  return `consent_${digestOf(text)}`;
}

function digestOfCall(
  { name, input }: HandlerCall,
  { authentication }: Caller,
  text: string,
): string {
  return digestOf(["consent", name, input, authentication?.principal ?? null, text]);
}

/** Returns if the user has consented. @throws InputRefused if the user has not; ToolError if nobody has answered */
function readAnswer(text: string, response: unknown): void {
  const action = isObject(response) ? response["action"] : undefined;
  if (action === "accept") return;
  if (action === "decline" || action === "cancel") throw new InputRefused(text, action);
  throw new ToolError(`Nobody has answered: ${text}`);
}
