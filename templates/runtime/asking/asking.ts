import { inputRequired, type InputRequest } from "@modelcontextprotocol/server";
import { Chains, type Chain } from "./chain.js";
import { askingContext } from "./context.js";
import { Replay } from "./replay.js";
import { AskingRun, isSuspend } from "./run.js";
import { Seal } from "./seal.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Cancellation } from "../engine/cancellation.js";
import { openContext, type Caller } from "../context/context.js";
import { withFields, type Logger } from "../observe/log.js";
import type { ExactNumbers } from "../engine/rounded-numbers.js";
import {
  callHandler,
  InputRequired,
  type Asking,
  type HandlerCall,
  type Runtime,
} from "../engine/runtime.js";

/**
 * Runs handlers that may ask, so that a question reads like a call: at one that has no answer yet the
 * run ends, the client is sent back with the question, and when it comes again the handler is run
 * from the top with the answers so far. They travel in the request state, sealed: the server itself
 * remembers nothing. On the older eras the SDK asks over the session instead of sending back.
 *
 * @param definition Its `exactNumbers` find rounded numbers in answers
 * @param keys Those of `REQUEST_STATE_KEY`: the first seals, all open
 * @param now The time, for tests
 */
export function createAsking(
  { exactNumbers }: Pick<ServerDefinition, "exactNumbers">,
  keys?: readonly string[],
  now: () => number = Date.now,
): Asking {
  const chains = new Chains(new Seal(keys), now, exactNumbers);
  return async (runtime, caller, call) => {
    const { requestId } = caller;
    const log = withFields(runtime.log, { requestId, item: call.item });
    const warn = (reason: string): void => log.warning("request state refused", { reason });
    const chain = chains.open(caller, call, warn);
    const { timeoutMs = runtime.limits.timeoutMs } = call;
    return runtime.calls.run(caller.signal, timeoutMs, (cancellation) =>
      new Call(chains, chain, caller, call, log, exactNumbers).run(runtime, cancellation),
    );
  };
}

/** What came of a handler. */
type Outcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown };

/** One run of one call. */
class Call {
  readonly #replay: Replay;
  readonly #run: AskingRun;
  readonly #chains: Chains;
  readonly #chain: Chain;
  readonly #caller: Caller;
  readonly #call: HandlerCall;
  readonly #log: Logger;

  constructor(
    chains: Chains,
    chain: Chain,
    caller: Caller,
    call: HandlerCall,
    log: Logger,
    exactNumbers?: ExactNumbers,
  ) {
    this.#chains = chains;
    this.#chain = chain;
    this.#caller = caller;
    this.#call = call;
    this.#log = log;
    this.#replay = new Replay(chain.rounds > 0);
    this.#run = new AskingRun(chain, caller, this.#replay, exactNumbers);
  }

  async run(runtime: Runtime, cancellation: Cancellation): Promise<unknown> {
    const { handler, asks = {}, input } = this.#call;
    const [code] = await Promise.all([handler(), ...(asks.imports ?? []).map((late) => late())]);
    const { context, end } = openContext(this.#replay.quietCaller(this.#caller), cancellation, {
      ...runtime,
      log: this.#replay.quietLog(runtime.log),
    });
    const asking = askingContext(context, asks, this.#run, this.#chain.runId);
    const outcome = await outcomeOf(() => callHandler(code, input, asking));
    end();
    return this.#conclude(outcome);
  }

  /** A mistake of the handler wins over its result, and a result from before the run ended wins over questions. */
  async #conclude(outcome: Outcome): Promise<unknown> {
    const { misuse, failure, isSuspended } = this.#run;
    if (misuse !== undefined) throw misuse;
    if (!isSuspended) {
      this.#replay.giveUp();
      if (outcome.kind === "threw") throw outcome.error;
      return outcome.value;
    }
    if (outcome.kind === "returned" || !isSuspend(outcome.error)) {
      this.#log.warning(
        "a handler went on after a question had ended its run; what it came to is dropped. Where it catches errors: if (isSuspend(error)) throw error",
      );
    }
    if (failure !== undefined) throw failure;
    return this.#sendBack();
  }

  async #sendBack(): Promise<InputRequired> {
    await this.#run.end();
    const { pending } = this.#run;
    const requests = [...pending].map(([key, { request }]): [string, InputRequest] => [
      key,
      request,
    ]);
    return new InputRequired(
      inputRequired({
        inputRequests: Object.fromEntries(requests),
        requestState: this.#chains.hand(this.#chain, pending, this.#caller, this.#call),
      }),
    );
  }
}

async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { kind: "returned", value: await run() };
  } catch (error) {
    return { kind: "threw", error };
  }
}
