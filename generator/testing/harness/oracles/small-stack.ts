import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SmallStackRequest } from "./small-stack-thread.js";

/**
 * A thread that reads manifests with a small stack. Code that spreads a long list into a call throws there for lists that are
 * shorter, and sooner read, than those for which it throws elsewhere.
 */
export class SmallStack {
  readonly #thread: Worker;

  /** @param megabytes the size of the stack */
  constructor(megabytes: number) {
    const program = new URL("./small-stack-thread.js", import.meta.url);
    this.#thread = new Worker(program, { resourceLimits: { stackSizeMb: megabytes } });
  }

  /** @throws what the request throws in the thread */
  async #answer(request: SmallStackRequest): Promise<readonly string[]> {
    const answered = once(this.#thread, "message");
    this.#thread.postMessage(request);
    const [answer] = (await answered) as [readonly string[]];
    return answer;
  }

  /** The codes of the errors of a manifest, which is normalized too where it has none. */
  errorsOf(manifest: string): Promise<readonly string[]> {
    return this.#answer({ manifest });
  }

  /** The names of the exceptions of a call with so many arguments. */
  exceptionsOfCallWith(count: number): Promise<readonly string[]> {
    return this.#answer({ calledWith: count });
  }

  /** To be called after all tests. */
  end = async (): Promise<void> => {
    await this.#thread.terminate();
  };
}
