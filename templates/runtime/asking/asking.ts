import { inputRequired, type InputRequest } from "@modelcontextprotocol/server";
import { CallStates, type CallState } from "./call-state.js";
import { askingContext } from "./context.js";
import { Replay } from "./replay.js";
import { AskingRun, isSuspend } from "./run.js";
import { Seal } from "../sealing/seal.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Cancellation } from "../engine/cancellation.js";
import { openContext, type Caller } from "../context/context.js";
import { withFields, type Logger } from "../observe/log.js";
import type { ExactNumbers } from "../engine/rounded-numbers.js";
import {
  callHandler,
  ProtocolResult,
  type HandlerCall,
  type HandlerRunner,
  type Runtime,
} from "../engine/runtime.js";
import type { ServerOptions } from "../server/create-server.js";

/**
 * Makes the runner of handlers that may ask. In a handler, a question reads like a call. If it has no
 * answer yet, the run ends and the client gets the question as its result. When the client calls again with
 * the answer, the handler runs again from the top. All answers so far are in the request state, which the client
 * keeps encrypted: the server stores nothing. With clients of the older eras, the SDK asks within the session.
 *
 * @param definition Its `exactNumbers` find rounded numbers in answers.
 * @param options.requestStateKeys The first encrypts, all decrypt.
 * @param now Returns the time; for tests.
 */
export function createAsking(
  { exactNumbers }: Pick<ServerDefinition, "exactNumbers">,
  { requestStateKeys }: Pick<ServerOptions, "requestStateKeys"> = {},
  now: () => number = Date.now,
): HandlerRunner {
  const states = new CallStates(new Seal(requestStateKeys), now, exactNumbers);
  return {
    runs: ({ asks }) => asks !== undefined,
    run: async (runtime, caller, call) => {
      const { requestId } = caller;
      const log = withFields(runtime.log, { requestId, item: call.name });
      const warn = (reason: string): void => log.warning("request state refused", { reason });
      const state = states.open(caller, call, warn);
      const { timeoutMs = runtime.limits.timeoutMs } = call.item;
      return runtime.calls.run(caller, timeoutMs, (cancellation) =>
        new Call(states, state, caller, call, log, exactNumbers).run(runtime, cancellation),
      );
    },
  };
}

/** How a handler ended. */
type Outcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown };

/** One run of a handler for one call. */
class Call {
  readonly #replay: Replay;
  readonly #run: AskingRun;
  readonly #states: CallStates;
  readonly #state: CallState;
  readonly #caller: Caller;
  readonly #call: HandlerCall;
  readonly #log: Logger;

  constructor(
    states: CallStates,
    state: CallState,
    caller: Caller,
    call: HandlerCall,
    log: Logger,
    exactNumbers?: ExactNumbers,
  ) {
    this.#states = states;
    this.#state = state;
    this.#caller = caller;
    this.#call = call;
    this.#log = log;
    this.#replay = new Replay(state.rounds > 0);
    this.#run = new AskingRun(state, caller, this.#replay, exactNumbers);
  }

  async run(runtime: Runtime, cancellation: Cancellation): Promise<unknown> {
    const { handler, item, input } = this.#call;
    const { asks = {} } = item;
    const [code] = await Promise.all([handler(), ...(asks.imports ?? []).map((late) => late())]);
    const { context, keepReporting, end } = openContext(
      this.#replay.quietCaller(this.#caller),
      cancellation,
      { ...runtime, log: this.#replay.quietLog(runtime.log) },
    );
    const progress = this.#replay.quietProgress(context.progress);
    const replayed = Object.assign(context, { progress });
    const asking = askingContext(replayed, asks, this.#run, this.#state.runId);
    keepReporting();
    const outcome = await outcomeOf(() => callHandler(code, input, asking));
    end();
    return this.#conclude(outcome);
  }

  /**
   * Returns the result of the run. If the handler asked wrongly, that error is thrown instead. A result that the
   * handler returned before a question ended its run is used, although questions are open.
   */
  async #conclude(outcome: Outcome): Promise<unknown> {
    const { ending } = this.#run;
    if (ending.kind === "misused") throw ending.error;
    if (ending.kind === "byHandler") {
      this.#replay.release();
      if (outcome.kind === "threw") throw outcome.error;
      return outcome.value;
    }
    if (outcome.kind === "returned" || !isSuspend(outcome.error)) {
      this.#log.warning(
        "a handler went on after a question had ended its run; its result is dropped. Where it catches errors: if (isSuspend(error)) throw error",
      );
    }
    if (ending.kind === "unanswerable") throw ending.error;
    return this.#questions();
  }

  /** The result that has the open questions, for the client. */
  async #questions(): Promise<ProtocolResult> {
    await this.#run.end();
    const { pending } = this.#run;
    const requests = [...pending].map(([key, { request }]): [string, InputRequest] => [
      key,
      request,
    ]);
    return new ProtocolResult(
      inputRequired({
        inputRequests: Object.fromEntries(requests),
        requestState: this.#states.seal(this.#state, pending, this.#caller, this.#call),
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
