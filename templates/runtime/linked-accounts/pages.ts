import { createHash } from "node:crypto";
import type { HttpDefinition } from "../http/definition.js";
import type { Gate } from "../http/gate.js";
import type { PageAnswer, PlainPage, WholeAnswer } from "../http/page-answer.js";
import type { RequestHead } from "../http/request-head.js";
import type { RunningServer } from "../server/create-server.js";
import { SignInFailed, type LinkedAccounts } from "./accounts.js";
import { linkPath } from "./holders.js";

/** A server whose callers link accounts. */
export type ServerWithAccounts = RunningServer & { readonly accounts: LinkedAccounts };

const METHODS = ["GET"];

/** How long the cookie of a sign-in is kept, in seconds. */
const COOKIE_SECONDS = 1_200;

const STYLE =
  "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}code{font-size:2rem;letter-spacing:.1em}";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The two pages of each upstream with accounts: the link, and where the authorization server sends the browser back to. */
export function accountPages(
  gate: Gate,
  server: RunningServer,
  { path }: Pick<HttpDefinition, "path">,
): ReadonlyMap<string, PlainPage> {
  const { upstreams = [], info } = server.definition;
  const title = info.title ?? info.name;
  const pages = upstreams
    .filter(({ auth }) => auth?.kind === "perCaller")
    .flatMap(({ name }): [string, PlainPage][] => {
      const link = `${path === "/" ? "" : path}${linkPath(name)}`;
      const { accounts } = server as ServerWithAccounts;
      return [
        [link, guarded(gate, title, (request) => opened(accounts, name, request))],
        [
          `${link}/callback`,
          guarded(gate, title, (request) => finished(accounts, name, title, request)),
        ],
      ];
    });
  return new Map(pages);
}

/** A page behind the gate that tells the person why a sign-in has failed. */
function guarded(
  gate: Gate,
  title: string,
  answer: (request: RequestHead) => Promise<WholeAnswer>,
): PlainPage {
  return async (request): Promise<PageAnswer> => {
    const refused = gate.answerUnlessAdmitted(request, METHODS);
    if (refused !== undefined) return refused;
    try {
      return await answer(request);
    } catch (error) {
      if (error instanceof SignInFailed) return page(400, title, ["Not connected", error.message]);
      const text = "The server cannot keep your account at the moment. Try again in a minute.";
      return page(503, title, ["Not connected", text]);
    }
  };
}

async function opened(
  accounts: LinkedAccounts,
  upstream: string,
  request: RequestHead,
): Promise<WholeAnswer> {
  const { url, cookie } = accounts.open(upstream, queryOf(request).one("state"));
  const headers = {
    location: url,
    "set-cookie": cookieText(accounts, upstream, cookie, COOKIE_SECONDS),
    "content-length": "0",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  };
  return { status: 302, headers };
}

async function finished(
  accounts: LinkedAccounts,
  upstream: string,
  title: string,
  request: RequestHead,
): Promise<WholeAnswer> {
  const query = queryOf(request);
  const [state, code, error, iss] = ["state", "code", "error", "iss"].map(query.one);
  const cookie = cookieOf(request, cookieName(accounts, upstream));
  const shown = await accounts.finish(upstream, { state, code, error, iss }, cookie);
  const answer = page(200, title, [
    `Enter this code in your client`,
    `You have signed in with ${upstream}. Nothing is connected until this code is entered in the client that has sent you here:`,
    { code: shown },
    "The code is of use for five minutes. If somebody else has sent you the link, close this page and tell nobody the code: it would give that person access in your name.",
  ]);
  const forgotten = { "set-cookie": cookieText(accounts, upstream, "", 0) };
  return { ...answer, headers: { ...answer.headers, ...forgotten } };
}

/** The parameters of a query, of which each may stand there once. */
function queryOf({ url = "" }: RequestHead): { one(name: string): string | undefined } {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
  return {
    one: (name) => {
      const values = query.getAll(name);
      return values.length === 1 ? values[0] : undefined;
    },
  };
}

/** The name of a cookie that pages of other hosts cannot set, where the browser is asked over TLS. */
function cookieName({ isSecure }: LinkedAccounts, upstream: string): string {
  return `${isSecure ? "__Host-" : ""}mcp-connect-${upstream}`;
}

function cookieText(
  accounts: LinkedAccounts,
  upstream: string,
  value: string,
  seconds: number,
): string {
  const secure = accounts.isSecure ? "; Secure" : "";
  return `${cookieName(accounts, upstream)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie; undefined if there is none, or several of the name. */
function cookieOf({ headers }: RequestHead, name: string): string | undefined {
  const values = String(headers["cookie"] ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

function page(
  status: number,
  title: string,
  [heading, ...paragraphs]: readonly [string, ...(string | { readonly code: string })[]],
): WholeAnswer {
  const texts = paragraphs.map((one) =>
    typeof one === "string" ? `<p>${escaped(one)}</p>` : `<p><code>${escaped(one.code)}</code></p>`,
  );
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><h1>${escaped(heading)}</h1>${texts.join("")}</body></html>`;
  return {
    status,
    headers: { ...HEADERS, "content-length": String(Buffer.byteLength(body)) },
    body,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
