import { createClient } from "@redis/client";

/** How many notes the board has place for. */
const MOST_NOTES = 100;

/** Where the notes are, for every process that serves the board. */
export interface Board {
  post(text: string): Promise<void>;
  /** Takes the oldest note off. */
  dropOldest(): Promise<void>;
  /** The newest first. */
  notes(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens the board in Redis, or one of this process alone where no URL is given. */
export async function openBoard(url: string | undefined): Promise<Board> {
  return url === undefined ? new OwnBoard() : RedisBoard.open(url);
}

/** A board that nobody else sees. */
export class OwnBoard implements Board {
  #notes: readonly string[] = [];

  async post(text: string): Promise<void> {
    this.#notes = [text, ...this.#notes].slice(0, MOST_NOTES);
  }

  async dropOldest(): Promise<void> {
    this.#notes = this.#notes.slice(0, -1);
  }

  async notes(): Promise<readonly string[]> {
    return this.#notes;
  }

  async close(): Promise<void> {}
}

class RedisBoard implements Board {
  readonly #key = "notice-board:notes";
  readonly #redis;

  private constructor(url: string) {
    this.#redis = createClient({ url, disableOfflineQueue: true });
    // The server's own connection to Redis has the log told of trouble.
    this.#redis.on("error", () => undefined);
  }

  static async open(url: string): Promise<RedisBoard> {
    const board = new RedisBoard(url);
    await board.#redis.connect();
    return board;
  }

  async post(text: string): Promise<void> {
    await this.#redis
      .multi()
      .lPush(this.#key, text)
      .lTrim(this.#key, 0, MOST_NOTES - 1)
      .exec();
  }

  async dropOldest(): Promise<void> {
    await this.#redis.rPop(this.#key);
  }

  notes(): Promise<readonly string[]> {
    return this.#redis.lRange(this.#key, 0, -1);
  }

  async close(): Promise<void> {
    this.#redis.destroy();
  }
}
