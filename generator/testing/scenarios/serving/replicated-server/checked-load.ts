import { modernRequest } from "../../../../../templates/runtime/suite/clients/http.js";

/** What came of a call: its own answer, a broken connection, no replica, or whatever else was answered. */
export type CallOutcome = "ok" | "broken" | "refused" | (string & {});

/** How often each outcome came. */
export type Outcomes = Map<CallOutcome, number>;

const PRINCIPALS = ["ada", "bob", "cyd", "dan"];

/** Calls of several principals at once, each of which must be answered with its own text. */
export class CheckedLoad {
  readonly outcomes: Outcomes = new Map();
  readonly #url: string;
  readonly #delayMs: number;
  readonly #callers: Promise<unknown>;
  #least = 0;
  #isOver = false;
  #sent = 0;

  /**
   * @param url of the endpoint
   * @param delayMs how long each call takes in its handler
   * @param callers how many calls are under way at once
   */
  constructor(url: string, delayMs: number, callers = PRINCIPALS.length) {
    this.#url = url;
    this.#delayMs = delayMs;
    this.#callers = Promise.all(Array.from({ length: callers }, (_, index) => this.#call(index)));
  }

  /** How many calls were sent. */
  get sent(): number {
    return this.#sent;
  }

  /** Ends the load when this number of calls were sent. @returns their outcomes */
  async stop(least = 0): Promise<Outcomes> {
    this.#least = least;
    this.#isOver = true;
    await this.#callers;
    return this.outcomes;
  }

  async #call(caller: number): Promise<void> {
    const principal = PRINCIPALS[caller % PRINCIPALS.length] ?? "";
    while (!this.#isOver || this.#sent < this.#least) {
      const text = `${principal}${this.#sent++}`;
      const outcome = await checkedCall(this.#url, principal, text, this.#delayMs);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }
}

async function checkedCall(
  url: string,
  principal: string,
  text: string,
  delayMs: number,
): Promise<CallOutcome> {
  const body = { name: "echo", arguments: { text, delayMs } };
  const request = modernRequest(url, "tools/call", body);
  request.headers.set("authorization", `Bearer ${principal}`);
  request.headers.set("mcp-name", "echo");
  try {
    const response = await fetch(request);
    const answer = await response.text();
    if (response.status === 502) return "refused";
    return answer.includes(` ${principal} ${text}"`) ? "ok" : `${response.status} ${answer}`;
  } catch {
    return "broken";
  }
}
