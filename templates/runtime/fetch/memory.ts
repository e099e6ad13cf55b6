import { minCountedBytes, type AnswerConnection } from "../memory/accounts.js";
import { CallMemory, type SharedMemory } from "../memory/call-memory.js";
import { ResultLengths } from "../memory/result-lengths.js";
import { IsolateBudget } from "./isolate-budget.js";

/** The memory for the answers of all servers of this isolate. */
export const answerMemory: SharedMemory<IsolateBudget> = {
  budget: new IsolateBudget(),
  lengths: new ResultLengths(),
};

/** The exchange that the calls of a request belong to. */
interface Exchange {
  readonly connection: AnswerConnection;
  whenOver(callback: () => void): void;
}

/** The memory of the calls of one request: usually one, and several for a batch. */
export class ExchangeMemory {
  readonly #exchange: Exchange;
  readonly #calls: FetchCallMemory[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** The memory of the next call of the request. */
  nextCall(): CallMemory {
    const memory = new FetchCallMemory(this.#exchange);
    this.#calls.push(memory);
    return memory;
  }

  /** Must be called after each write of the answer. */
  written(): void {
    const { connection } = this.#exchange;
    if (connection.unread() < minCountedBytes) return;
    answerMemory.budget.written(connection, (bytes) => {
      this.#calls.reduce((left, call) => call.shrink(left), bytes);
    });
  }
}

class FetchCallMemory extends CallMemory {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    super(answerMemory);
    this.#exchange = exchange;
  }

  protected connection(): AnswerConnection {
    return this.#exchange.connection;
  }

  protected whenOver(callback: () => void): void {
    this.#exchange.whenOver(callback);
  }
}
