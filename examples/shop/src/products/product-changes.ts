import pg from "pg";

/** How long to wait before another connection is tried, in milliseconds. */
const PAUSE_MS = 5_000;

/** Listens to what the database says of changed products: `NOTIFY products`. */
export class ProductChanges {
  readonly #url: string;
  readonly #changed: () => void;
  #client: pg.Client | undefined;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param changed called after each change */
  constructor(url: string, changed: () => void) {
    this.#url = url;
    this.#changed = changed;
  }

  /** Begins to listen. Where the connection is lost, or cannot be made yet, it is made again. */
  async open(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url });
    this.#client = client;
    client.on("notification", () => this.#changed());
    client.on("error", () => undefined);
    client.once("end", () => this.#later());
    try {
      await client.connect();
      await client.query("listen products");
    } catch {
      await client.end().catch(() => this.#later());
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    await this.#client?.end();
  }

  #later(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.open(), PAUSE_MS).unref();
  }
}
