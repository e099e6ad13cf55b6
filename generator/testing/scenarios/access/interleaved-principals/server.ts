import { setImmediate as turn } from "node:timers/promises";
import { askingParts } from "../../../../../templates/runtime/samples/asking.js";
import { changingParts } from "../../../../../templates/runtime/samples/parts.js";
import { createFilteredList } from "../../../../../templates/runtime/authentication/filtered-lists.js";
import type { Authentication } from "../../../../../templates/runtime/authentication/authentication.js";
import type { Notifier } from "../../../../../templates/runtime/changes/live-state.js";
import type { HandlerContext } from "../../../../../templates/runtime/context/context.js";
import type { ResourceEntry } from "../../../../../templates/runtime/resources/definition.js";
import type {
  HttpDefinition,
  NetworkDefinition,
} from "../../../../../templates/runtime/http/definition.js";
import { httpEndpoint } from "../../../../../templates/runtime/http/endpoint.js";
import { listen } from "../../../../../templates/runtime/http/listener.js";
import { limitQuestions } from "../../../../../templates/runtime/http/open-questions.js";
import { httpEndpointWithSessions } from "../../../../../templates/runtime/http/sessions.js";
import { createLog } from "../../../../../templates/runtime/observe/log.js";
import {
  sampleAsks,
  type AskingContext,
  type AskingHandler,
} from "../../../../../templates/runtime/samples/asking.js";
import { erased, sampleServer, tool } from "../../../../../templates/runtime/samples/server.js";
import { createServer } from "../../../../../templates/runtime/server/create-server.js";
import { sseEndpoint } from "../../../../../templates/runtime/sse/endpoint.js";
import { webSocketEndpoint } from "../../../../../templates/runtime/websocket/endpoint.js";

/** What all that belongs to a caller is marked with, wherever it may turn up. */
export const PRINCIPALS = ["ada-4f1c", "bob-93d7"] as const;

export type Principal = (typeof PRINCIPALS)[number];

/** The scope of each caller. Its name does not identify the caller. */
const SCOPES: Readonly<Record<Principal, string>> = { "ada-4f1c": "first", "bob-93d7": "second" };

/** The tool of each caller that the other may not use. */
export const toolOf = (principal: Principal): string => `only_${SCOPES[principal]}`;

/** The resource that is another for each caller. */
export const INBOX = "demo://inbox";

/** A server that knows its callers, at every transport of a network. */
export interface PrincipalServer {
  /** Without sessions. */
  readonly http: string;
  readonly sessions: string;
  readonly sse: string;
  readonly socket: string;
  close(): Promise<void>;
}

type Context = HandlerContext<unknown, unknown> & { readonly notify: Notifier };

/** Returns the principal of a call. Contexts have `auth` here, since the server is on a network. */
function principalOf(context: object): string {
  const { auth } = context as { readonly auth?: Authentication };
  return auth?.principal ?? "nobody";
}

/** Returns the caller after a number of turns of the event loop, in which other calls run. */
async function whoami({ turns, word }: { turns: number; word: string }, context: Context) {
  const before = principalOf(context);
  for (let left = turns; left > 0; left -= 1) await turn();
  context.log.info("asked", { by: before });
  return `${before} ${principalOf(context)} ${word}`;
}

async function ask(_input: unknown, context: AskingContext): Promise<string> {
  const before = principalOf(context);
  const { name } = await context.elicit.name();
  return `${before} ${principalOf(context)} ${name}`;
}

/** Tells the caller, and nobody else, that the inbox has changed. */
function touch(_input: unknown, context: Context): string {
  context.notify.resourceUpdated(INBOX, { principal: principalOf(context) });
  return principalOf(context);
}

const tools = [
  tool("whoami", erased(whoami as never), {
    properties: { turns: { type: "integer" }, word: { type: "string" } },
    required: ["turns", "word"],
  }),
  tool("ask", erased(ask as AskingHandler as never), { asks: sampleAsks }),
  tool("touch", erased(touch as never)),
  ...PRINCIPALS.flatMap((principal) =>
    [toolOf(principal), `${toolOf(principal)}_too`].map((name) =>
      tool(
        name,
        erased(() => principal),
        { scopes: [SCOPES[principal]] },
      ),
    ),
  ),
];

/** The names of the tools that a caller is shown. */
export function shownTo(principal: Principal): string[] {
  const isShown = ({ scopes = [] }: { readonly scopes?: readonly string[] }) =>
    scopes.every((scope) => scope === SCOPES[principal]);
  return tools.filter(isShown).map(({ definition }) => definition.name);
}

const inbox: ResourceEntry = {
  definition: { uri: INBOX, name: "inbox", description: "What is new for its reader." },
  subscribe: true,
  handler: () => erased((_uri, context) => principalOf(context)),
};

/** Open to both: the second page of the list of resources is the same for them. */
const leaflets = ["one", "two"].map((name) => ({
  definition: { uri: `demo://${name}`, name, description: "For everybody." },
  text: name,
}));

/** Serves on free ports. A caller's token is its name. */
export async function startPrincipalServer(): Promise<PrincipalServer> {
  const server = createServer(
    {
      ...sampleServer,
      ...{
        tools,
        resources: [inbox, ...leaflets],
        resourceTemplates: [],
        prompts: [],
        pageSize: 2,
      },
      ...askingParts,
      ...changingParts,
      createPagedList: createFilteredList,
      limitQuestions,
      limits: { ratePerSecond: 1_000_000 },
    },
    {
      root: process.cwd(),
      log: createLog({ write: () => undefined }),
      authentication: {
        authenticate: async ({ token = "" }) => {
          // Who comes first is not who is known first.
          if (Math.random() < 0.5) await turn();
          const principal = PRINCIPALS.find((one) => one === token);
          return principal && { principal, scopes: [SCOPES[principal]] };
        },
      },
    },
  );
  const definitionOf = <Type extends NetworkDefinition["type"]>(type: Type) =>
    sampleServer.transports.find((one) => one.type === type) as never;
  const http: HttpDefinition = definitionOf("http");
  const plain = await listen(server, [httpEndpoint(server, http)]);
  const lasting = await listen(server, [
    httpEndpointWithSessions(server, http),
    sseEndpoint(server, definitionOf("sse")),
    webSocketEndpoint(server, definitionOf("websocket")),
  ]);
  return {
    http: plain.url,
    sessions: lasting.url,
    sse: lasting.urls.get("sse") ?? "",
    socket: lasting.urls.get("websocket") ?? "",
    close: async () => {
      await plain.close();
      await lasting.close();
    },
  };
}
