import type { Socket } from "node:net";
import type { FromWorker, Questions, ToWorker } from "./messages.js";

/** A message of the primary process, by its kind. */
type Message<Kind extends ToWorker["kind"]> = Extract<ToWorker, { readonly kind: Kind }>;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** A worker's connection with its primary process. When that ends, Node.js ends the worker. */
export class PrimaryLink {
  readonly #waiting = new Map<number, Waiting>();
  readonly #handlers = new Map<ToWorker["kind"], (message: never, socket?: Socket) => void>();
  #questions = 0;

  constructor() {
    process.on("message", (message: ToWorker, socket?: Socket) => {
      if (message.kind === "answer") return this.#settle(message);
      this.#handlers.get(message.kind)?.(message as never, socket);
    });
  }

  /** Calls a function with each message of a kind. */
  on<Kind extends ToWorker["kind"]>(
    kind: Kind,
    handle: (message: Message<Kind>, socket?: Socket) => void,
  ): void {
    this.#handlers.set(kind, handle);
  }

  /** Sends a message. It is lost if the primary process has ended, which ends this process, too. */
  send(message: FromWorker): void {
    process.send?.(message, undefined, undefined, () => undefined);
  }

  /** Asks the primary process. @throws Error if it could not do what it was asked */
  ask<About extends keyof Questions>(
    about: About,
    asks: Questions[About]["asks"],
  ): Promise<Questions[About]["gets"]> {
    const id = ++this.#questions;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send({ kind: "question", id, about, asks });
    });
  }

  #settle({ id, gets, error }: Message<"answer">): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(gets);
    else waiting?.reject(new Error(error));
  }
}
