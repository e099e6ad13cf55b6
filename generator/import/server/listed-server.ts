import type { JsonObject, JsonValue } from "../../model/json.js";

/** The lists of the protocol, by their keys in a manifest. */
export const LISTS = {
  tools: { method: "tools/list", capability: "tools", kind: "tool" },
  resources: { method: "resources/list", capability: "resources", kind: "resource" },
  resourceTemplates: {
    method: "resources/templates/list",
    capability: "resources",
    kind: "resource template",
  },
  prompts: { method: "prompts/list", capability: "prompts", kind: "prompt" },
} as const;

export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** The server's answers about itself and its items. Nothing has been checked yet. */
export interface ListedServer {
  /** `serverInfo` of the handshake. */
  readonly about: JsonObject;
  readonly instructions?: string;
  readonly capabilities: JsonObject;
  readonly lists: Readonly<Record<ListName, readonly JsonValue[]>>;
}

/** How to connect to a server: a program to start, or a URL. */
export type ServerTarget =
  | { readonly kind: "command"; readonly command: readonly string[]; readonly folder: string }
  | {
      readonly kind: "url";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** The limits for listing a server's items. Times are in milliseconds. */
export interface ListingLimits {
  /** Time until the server says which protocol it speaks. After that, the client tries the older protocol. */
  readonly probeMs: number;
  readonly requestMs: number;
  readonly totalMs: number;
  /** Pages of one list. */
  readonly pages: number;
  /** Items of all lists together. */
  readonly items: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
}

export const LISTING_LIMITS: ListingLimits = {
  probeMs: 20_000,
  requestMs: 30_000,
  totalMs: 120_000,
  pages: 1_000,
  items: 10_000,
  answerBytes: 10 * 1024 * 1024,
};

/** The server's lists, or the reason why there are none, as the end of "the server …". */
export type ListingResult = { readonly listed: ListedServer } | { readonly reason: string };
