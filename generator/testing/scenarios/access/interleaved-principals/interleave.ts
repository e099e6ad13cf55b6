import { isDeepStrictEqual } from "node:util";
import { randomNumbers } from "../../../harness/runner/random-numbers.js";
import { connectPrincipals, type PrincipalClient } from "./clients.js";
import {
  INBOX,
  PRINCIPALS,
  shownTo,
  startPrincipalServer,
  toolOf,
  type Principal,
} from "./server.js";

/** What came of calls of two callers that went on at once. */
export interface Interleaving {
  /** By transport and kind of call. */
  readonly calls: ReadonlyMap<string, number>;
  /** What reached somebody for whom it was not, or did not reach somebody for whom it was. */
  readonly wrong: readonly string[];
  /** How many notifications there were, each for the clients of one caller. */
  readonly updates: number;
}

/** How many calls are under way at a time. */
const together = 48;

/** One kind of call. It returns the answer and the expected answer. */
type Call = (client: PrincipalClient, word: string) => Promise<readonly [unknown, unknown]>;

const text = ({ content }: { readonly content: unknown }): unknown =>
  (content as readonly { readonly text?: string }[])[0]?.text;

/** Makes calls of random kinds, and records wrong answers. */
class Interleaver {
  readonly calls = new Map<string, number>();
  readonly wrong: string[] = [];
  /** How often each caller has had its clients told of a change. */
  readonly touched = new Map<Principal, number>(PRINCIPALS.map((one) => [one, 0]));
  /** The last cursor that a caller was given. */
  readonly #cursors = new Map<Principal, string>();
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  readonly #kinds: Readonly<Record<string, Call>> = {
    whoami: async ({ client, principal }, word) => {
      const values = { turns: this.#random(4), word };
      const answer = await client.callTool({ name: "whoami", arguments: values });
      return [text(answer), `${principal} ${principal} ${word}`];
    },
    ask: async ({ client, principal }) => {
      const answer = await client.callTool({ name: "ask", arguments: {} });
      return [text(answer), `${principal} ${principal} named ${principal}`];
    },
    touch: async ({ client, principal }) => {
      this.touched.set(principal, (this.touched.get(principal) ?? 0) + 1);
      return [text(await client.callTool({ name: "touch", arguments: {} })), principal];
    },
    read: async ({ client, principal }) => {
      const { contents } = await client.readResource({ uri: INBOX });
      return [(contents[0] as { text?: string }).text, principal];
    },
    list: async ({ client, principal }) => {
      const { tools } = await client.listTools();
      return [tools.map(({ name }) => name), shownTo(principal)];
    },
    "first page": async ({ client, principal }) => {
      const page = await client.request({ method: "resources/list", params: {} });
      const { nextCursor, cacheScope = "private" } = page as Page;
      if (nextCursor !== undefined) this.#cursors.set(principal, nextCursor);
      return [
        [typeof nextCursor, cacheScope],
        ["string", "private"],
      ];
    },
    "another's cursor": async ({ client, principal }) => {
      const other = PRINCIPALS.find((one) => one !== principal) as Principal;
      const cursor = this.#cursors.get(other);
      if (cursor === undefined) return [0, 0];
      const asked = client.request({ method: "resources/list", params: { cursor } });
      return [await codeOf(asked), -32602];
    },
    "another's tool": async ({ client, principal }) => {
      const other = PRINCIPALS.find((one) => one !== principal) as Principal;
      const called = client.callTool({ name: toolOf(other), arguments: {} });
      return [(await codeOf(called)) !== undefined, true];
    },
  };

  /** Makes one call, of a random kind. */
  async callOnce(client: PrincipalClient, word: string): Promise<void> {
    const names = Object.keys(this.#kinds).filter((name) => client.canBeAsked || name !== "ask");
    const name = names[this.#random(names.length)] as string;
    const kind = `${client.over}, ${name}`;
    this.calls.set(kind, (this.calls.get(kind) ?? 0) + 1);
    try {
      const [found, expected] = (await this.#kinds[name]?.(client, word)) ?? [];
      if (isDeepStrictEqual(found, expected)) return;
      this.wrong.push(`${kind} of ${client.principal}: ${JSON.stringify([found, expected])}`);
    } catch (error) {
      this.wrong.push(`${kind} of ${client.principal}: ${String(error)}`);
    }
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.#random(values.length)] as Value;
  }
}

interface Page {
  readonly nextCursor?: string;
  readonly cacheScope?: string;
}

async function codeOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => undefined,
    (error: { readonly code?: unknown }) => error.code ?? String(error),
  );
}

/** Lets two callers call a server at the same time over all transports, and searches their answers for data of the other. */
export async function interleave(count: number, seed: number): Promise<Interleaving> {
  const server = await startPrincipalServer();
  const interleaver = new Interleaver(seed);
  const { wrong, calls, touched } = interleaver;
  const clients = await connectPrincipals(server, (message) => wrong.push(message));
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) await interleaver.callOnce(interleaver.pick(clients), `word-${(left -= 1)}`);
  };
  await Promise.all(Array.from({ length: together }, work));
  for (const client of clients) {
    const problem = await updatesProblem(client, touched.get(client.principal) ?? 0);
    if (problem !== undefined) wrong.push(problem);
  }
  await Promise.all(clients.map(({ client }) => client.close()));
  await server.close();
  const updates = [...touched.values()].reduce((sum, times) => sum + times, 0);
  return { calls, wrong, updates };
}

/** How long notifications that are under way may take to come, in milliseconds. */
const longestMs = 10_000;

/** Whether a client was told of its own caller's changes, all of them and no others. */
async function updatesProblem(
  { over, principal, client, watches, updates }: PrincipalClient,
  expected: number,
): Promise<string | undefined> {
  const due = watches ? expected : 0;
  const deadline = Date.now() + longestMs;
  while (updates() < due && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // What was sent to the wrong client before this answer has come before it.
  await client.callTool({ name: "whoami", arguments: { turns: 3, word: "last" } });
  if (updates() === due) return undefined;
  return `${over} of ${principal} was told ${updates()} times, not ${due}`;
}
