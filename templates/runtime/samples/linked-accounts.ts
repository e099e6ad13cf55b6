import { createHash, randomUUID } from "node:crypto";
import { Agent } from "undici";
import { Masking } from "../backends/masking.js";
import { fetchHandler } from "../fetch.js";
import { http } from "../http.js";
import { defineServer, defineTool, type HandlerContext, type ServerSettings } from "../index.js";
import { linkedAccounts } from "../linked-accounts.js";
import {
  LinkedAccounts,
  type AccountOptions,
  type CodeOutcome,
} from "../linked-accounts/accounts.js";
import { holderOfCaller } from "../linked-accounts/holders.js";
import { createLog } from "../observe/log.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { upstreams, type Upstream, type UpstreamDefinition } from "../upstreams.js";
import type { LateServerPart, ServerPart } from "../server/server-part.js";
import { clientAuthentication } from "../upstreams/client-authentication.js";
import type { Authenticator, Credentials } from "../upstreams/credentials.js";
import { Settings } from "../upstreams/settings.js";
import { TestServer, type RecordedRequest } from "./local-internet.js";

/** The URL of the servers of the tests, as browsers and clients know it. */
export const PUBLIC_URL = "https://books.example/mcp";

/** What the authorization server has to remember of a sign-in. */
interface IssuedCode {
  readonly user: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** An authorization server with PKCE and rotating refresh tokens, and the API of the same people. */
export class Provider {
  server!: TestServer;
  /** The life of access tokens in seconds; undefined if it is not said. */
  life: number | undefined = 3_600;
  /** Whether refresh tokens are given. */
  refreshes = true;
  /** The issuer that answers name; by default the provider itself. */
  issuer: string | undefined;
  /** How long a request for tokens takes, in milliseconds. */
  delayMs = 0;
  readonly #codes = new Map<string, IssuedCode>();
  readonly #accessTokens = new Map<string, string>();
  readonly #refreshTokens = new Map<string, string>();

  static async open(): Promise<Provider> {
    const provider = new Provider();
    provider.server = await TestServer.open((seen, _request, response) => {
      const { status, headers = {}, body } = provider.#answer(seen);
      const send = (): void => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(body === undefined ? "" : JSON.stringify(body));
      };
      if (seen.url === "/token" && provider.delayMs > 0) setTimeout(send, provider.delayMs);
      else send();
    });
    return provider;
  }

  get origin(): string {
    return this.server.origin;
  }

  /** The forms that the token endpoint has got. */
  get grants(): Record<string, string>[] {
    return this.server.requests
      .filter(({ url }) => url === "/token")
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  }

  /** The user of an access token; undefined if it has ended. */
  userOf(accessToken: string): string | undefined {
    return this.#accessTokens.get(accessToken);
  }

  /** Ends all access tokens, and the refresh tokens if `all` is set. */
  revoke(all = false): void {
    this.#accessTokens.clear();
    if (all) this.#refreshTokens.clear();
  }

  #answer(seen: RecordedRequest): {
    status: number;
    headers?: Record<string, string>;
    body?: object;
  } {
    const url = new URL(seen.url, this.origin);
    if (url.pathname === "/authorize")
      return this.#signIn(url, String(seen.headers["x-user"] ?? ""));
    if (url.pathname === "/token") return this.#token(new URLSearchParams(seen.body));
    const user = this.#accessTokens.get(String(seen.headers.authorization).replace("Bearer ", ""));
    return user === undefined ? { status: 401, body: {} } : { status: 200, body: { user } };
  }

  #signIn(
    { searchParams: query }: URL,
    user: string,
  ): { status: number; headers: Record<string, string> } {
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", this.issuer ?? this.origin);
    if (user === "") {
      back.searchParams.set("error", "access_denied");
    } else {
      const code = randomUUID();
      this.#codes.set(code, { user, challenge: query.get("code_challenge") ?? "", redirectUri });
      back.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: back.href } };
  }

  #token(form: URLSearchParams): { status: number; body: object } {
    const invalid = { status: 400, body: { error: "invalid_grant" } };
    const refreshToken = form.get("refresh_token") ?? "";
    const code = form.get("code") ?? "";
    if (form.get("grant_type") === "refresh_token") {
      const user = this.#refreshTokens.get(refreshToken);
      this.#refreshTokens.delete(refreshToken);
      return user === undefined ? invalid : this.#issue(user);
    }
    const issued = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      issued?.challenge === challenge && issued.redirectUri === form.get("redirect_uri");
    return isRight ? this.#issue(issued.user) : invalid;
  }

  #issue(user: string): { status: number; body: object } {
    const [accessToken, refreshToken] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    this.#accessTokens.set(accessToken, user);
    if (this.refreshes) this.#refreshTokens.set(refreshToken, user);
    return {
      status: 200,
      body: {
        ...{ access_token: accessToken, token_type: "Bearer" },
        ...(this.life !== undefined && { expires_in: this.life }),
        ...(this.refreshes && { refresh_token: refreshToken }),
      },
    };
  }
}

/** The upstream of a provider, whose callers link accounts. */
export function upstreamOf(
  name: string,
  { origin }: Provider,
  more: object = {},
): UpstreamDefinition {
  const client = { clientId: "books", clientSecret: "a-client-secret", sendIn: "form" } as const;
  const urls = { authorizationUrl: `${origin}/authorize`, tokenUrl: `${origin}/token` };
  const auth = { kind: "perCaller", ...client, ...urls, scopes: ["read"], ...more } as const;
  return { name, baseUrl: origin, auth, timeoutMs: 5_000, private: true, redirects: 0 };
}

/** An answer of the server to a call. */
export interface CallAnswer {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: Question }>>;
  /** The message of a JSON-RPC error. */
  readonly error?: string;
}

/** The parameters of a question. */
export interface Question {
  readonly mode?: string;
  readonly message: string;
  readonly url?: string;
}

/** The first text of an answer, or its error. */
export function textOf({ content = [], error = "" }: CallAnswer): string {
  return content[0]?.text ?? error;
}

/** The question of an answer. @throws Error if it has none */
export function questionOf(answer: CallAnswer): Question {
  const question = answer.inputRequests?.["account"]?.params;
  if (question === undefined) throw new Error(JSON.stringify(answer));
  return question;
}

export const ASKED = { elicitation: { form: {}, url: {} } };

type Context = HandlerContext<object, undefined> & {
  readonly upstreams: Readonly<Record<string, Upstream>>;
};

/** The settings of a server with a tool for each upstream, which says as whom it asks the upstream. */
export function accountSettings(
  services: readonly UpstreamDefinition[],
  use: readonly (ServerPart | LateServerPart)[] = [],
): ServerSettings<object, undefined> {
  const accept = Object.assign(() => true, { errors: null });
  const toolFor = (name: string) =>
    defineTool<object, string, Context>({
      definition: { name, inputSchema: { type: "object" } },
      validators: async () => ({ input: accept }),
      handler: async () => async (_input, ctx) => {
        const answer = await ctx.upstreams[name]?.get("/me");
        return `${answer?.status} ${(answer?.json() as { user?: string }).user}`;
      },
    });
  return {
    info: { name: "books", title: "The <books>", version: "1.0.0" },
    transports: [http({ allowedHosts: ["books.example"] })],
    tools: services.map(({ name }) => toolFor(name)),
    auth: [{ open: () => ({ verify: callerOf }) }],
    resource: () => ({ resource: PUBLIC_URL, authorizationServers: ["https://idp.example"] }),
    limits: { ratePerSecond: 1_000_000 },
    use: [upstreams(services), ...use, linkedAccounts()],
  };
}

/** A server whose tools `mail` and `files` say as whom they ask the upstreams of these names. */
export class AccountServer {
  readonly #handle: (request: Request, address: string) => Promise<Response>;
  readonly lines: string[] = [];

  constructor(
    services: readonly UpstreamDefinition[],
    settings: Partial<ServerSettings<object, undefined>> = {},
    environment: Readonly<Record<string, string>> = {},
  ) {
    const { use = [], ...others } = settings;
    const server = defineServer({ ...accountSettings(services, use), ...others });
    const log = createLog({ level: "debug", write: (line) => void this.lines.push(line) });
    this.#handle = fetchHandler(server, {
      address: (_request, address: string) => address,
      keepsConnections: true,
      environment,
      log,
    });
  }

  /** Sends a request of a browser, which follows no redirects. */
  visit(url: string, cookies = "", method = "GET"): Promise<Response> {
    const headers = { host: "books.example", ...(cookies !== "" && { cookie: cookies }) };
    return this.#handle(new Request(url, { headers, method }), "192.0.2.7");
  }

  /** Calls a tool as a person. */
  call(
    person: string,
    name: string,
    more: object = {},
    capabilities: object = ASKED,
    input: object = {},
  ): Promise<CallAnswer> {
    return this.send(person, "tools/call", { name, arguments: input, ...more }, capabilities);
  }

  /** Sends a request of a person's client. */
  async send<Answer extends CallAnswer>(
    person: string,
    method: string,
    params: Readonly<Record<string, unknown>>,
    capabilities: object,
  ): Promise<Answer> {
    const name = String(params["name"] ?? params["taskId"]);
    const headers = { authorization: `Bearer ${person}`, "mcp-name": name };
    const request = modernRequest(PUBLIC_URL, method, params, headers);
    const body = (await request.json()) as { params: { _meta: Record<string, unknown> } };
    body.params._meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    const sent = new Request(PUBLIC_URL, {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify(body),
    });
    const send = (one: Request): Promise<Response> => this.#handle(one, "192.0.2.8");
    const { result, error } = (await sendRaw(sent, send)).message;
    return (result ?? { error: error?.message ?? "" }) as Answer;
  }

  /** Answers the question of an answer. By default, the person accepts. */
  answer(
    person: string,
    name: string,
    { requestState }: CallAnswer,
    content: object = {},
    action = "accept",
  ): Promise<CallAnswer> {
    const inputResponses = { account: { action, content } };
    return this.call(person, name, { requestState, inputResponses });
  }

  /** Links the account of a user of the provider as a person. @returns the answer of the call */
  async link(person: string, name: string, user: string): Promise<CallAnswer> {
    const asked = await this.call(person, name);
    const { code } = await new Browser(this, user).visit(questionOf(asked).url ?? "");
    const next = await this.answer(person, name, asked);
    return this.answer(person, name, next, { code });
  }
}

/** Callers are known by tokens that are their names. `key:` stands before those of machines. */
function callerOf(token: string) {
  const via = token.startsWith("key:") ? ("apiKey" as const) : ("jwt" as const);
  return { principal: `idp|${token}`, scopes: [], via, claims: { sub: token } } as const;
}

/** What a browser shows at the end. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  /** The code on the page; empty if there is none. */
  readonly code: string;
  /** All URLs on the way. */
  readonly urls: readonly string[];
}

/** A browser whose user is signed in with the providers. */
export class Browser {
  readonly #server: AccountServer;
  readonly #user: string;
  readonly cookies = new Map<string, string>();

  /** @param user empty for one who refuses */
  constructor(server: AccountServer, user: string) {
    this.#server = server;
    this.#user = user;
  }

  /** Opens a URL and follows redirects. @param until stops before a URL with this text, and shows nothing */
  async visit(url: string, until?: string): Promise<Shown> {
    const urls: string[] = [];
    for (let next = url; ;) {
      urls.push(next);
      if (until !== undefined && next.includes(until))
        return { status: 0, text: "", code: "", urls };
      const response = await this.#get(next);
      const location = response.headers.get("location");
      if (location === null) {
        const text = await response.text();
        const code = /<code>([^<]*)<\/code>/.exec(text)?.[1] ?? "";
        return { status: response.status, text, code, urls };
      }
      next = new URL(location, next).href;
    }
  }

  async #get(url: string): Promise<Response> {
    if (!url.startsWith("https://books.example/")) {
      return fetch(url, { redirect: "manual", headers: { "x-user": this.#user } });
    }
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await this.#server.visit(url, cookies);
    const [, name = "", value = ""] =
      /^([^=]+)=([^;]*)/.exec(response.headers.get("set-cookie") ?? "") ?? [];
    if (name !== "") this.cookies.set(name, value);
    return response;
  }
}

/** The accounts of one process, without a server around them. */
export class AccountsOfProcess {
  readonly accounts: LinkedAccounts;
  readonly #authenticator: Authenticator;
  readonly #agent = new Agent();

  constructor(provider: Provider, options: Partial<AccountOptions> = {}) {
    const log = createLog({ write: () => undefined });
    this.accounts = new LinkedAccounts({ publicUrl: PUBLIC_URL, log, ...options });
    const { auth, name, timeoutMs } = upstreamOf("mail", provider);
    if (auth?.kind !== "perCaller") throw new Error("the upstream has no accounts");
    const settings = new Settings({}, ".");
    const masking = new Masking();
    const proveClient = clientAuthentication(auth, { name, settings, masking, openKey: undefined });
    const source = { name, auth, settings, timeoutMs, agent: this.#agent, masking, proveClient };
    const tokenUrl = new URL(`${provider.origin}/token`);
    this.#authenticator = this.accounts.authenticator(source, tokenUrl, false);
  }

  /** The access token of a person. */
  async token(person: string): Promise<string> {
    const { headers } = await this.#credentials(person);
    return String(headers?.["authorization"]).replace("Bearer ", "");
  }

  /** Tells that the upstream has refused the access token of a person. */
  async refuse(person: string): Promise<void> {
    this.#authenticator.refused(await this.#credentials(person), callerOf(person));
  }

  async #credentials(person: string): Promise<Credentials> {
    const { signal } = new AbortController();
    return this.#authenticator.credentials(signal, callerOf(person));
  }

  /** Signs a user of the provider in for a person. @returns the code that the browser is shown */
  async signIn(person: string, user: string): Promise<string> {
    const link = new URL(this.accounts.linkOf("mail", holderOf(person)));
    const { url, cookie } = this.accounts.open("mail", link.searchParams.get("state") ?? "");
    const response = await fetch(url, { redirect: "manual", headers: { "x-user": user } });
    const { searchParams: query } = new URL(response.headers.get("location") ?? "");
    return this.accounts.finish("mail", Object.fromEntries(query), cookie);
  }

  enter(person: string, code: string): Promise<CodeOutcome> {
    return this.accounts.enter("mail", holderOf(person), code);
  }

  async link(person: string, user: string): Promise<CodeOutcome> {
    return this.enter(person, await this.signIn(person, user));
  }

  forget(person: string): Promise<boolean> {
    return this.accounts.forget("mail", holderOf(person));
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}

/** The digest under which the accounts of a person are kept. */
export function holderOf(person: string): string {
  return holderOfCaller("mail", callerOf(person));
}
