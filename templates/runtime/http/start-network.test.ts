import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AuthenticationRequest, Verification } from "../authentication/authenticate.js";
import type { Authentication } from "../authentication/authentication.js";
import { sampleServer } from "../samples/server.js";
import { parseFlags } from "../start/command-line.js";
import type { ProjectContext } from "../start/project-context.js";
import type { HttpDefinition } from "./definition.js";
import { serveNetwork } from "./start-network.js";

const http: HttpDefinition = {
  ...{ type: "http", host: "127.0.0.1", port: 0, path: "/mcp", sessions: "none" },
  ...{
    allowedHosts: [],
    allowedOrigins: [],
    trustProxy: 0,
    resumable: false,
    cors: false,
    health: "/healthz",
  },
};

const ada: Authentication = { principal: "ada", scopes: ["read"] };

const verification: Verification = {
  verify: async (token) => (token === "right" ? ada : undefined),
  protectedResource: { resource: "https://books.example/mcp", authorizationServers: [] },
};

/** How a server authenticates the sender of a token, by its manifest and the exports of `src/context.ts`. */
function authenticatorOf(context: ProjectContext<object, object>, isDeclared: boolean) {
  const network = serveNetwork({
    endpoints: new Map(),
    listen: () => Promise.reject(new Error("not listened")),
  });
  const started = network.choose([http], new Set(["http"]), parseFlags([]));
  const parts = isDeclared ? { createVerification: () => verification } : {};
  const definition = { ...sampleServer, ...parts };
  const project = { root: "/", log: {} as never };
  return started?.serverOptions?.(context, {}, {}, definition, project).authentication;
}

const request = (token: string): AuthenticationRequest => ({
  ...{ token, headers: {}, remoteAddress: undefined },
});

test("the manifest's auth decides if the project has no authenticate", async () => {
  const authenticator = authenticatorOf({}, true);
  assert.is(await authenticator?.authenticate(request("right")), ada);
  assert.is(await authenticator?.authenticate(request("wrong")), undefined);
  assert.is(authenticator?.protectedResource?.resource, "https://books.example/mcp");
  assert.is(authenticatorOf({}, false), undefined);
});

test("the project's authenticate decides, and may call the manifest's auth", async () => {
  const authenticator = authenticatorOf(
    {
      authenticate: async ({ token }, { verify }) => {
        const caller = await verify(token);
        return caller && { ...caller, principal: `known ${caller.principal}` };
      },
    },
    true,
  );
  assert.is((await authenticator?.authenticate(request("right")))?.principal, "known ada");
  assert.is(await authenticator?.authenticate(request("wrong")), undefined);
});

test("a resource in both the manifest's auth and the project's code is an error", () => {
  const described = { resource: "https://other.example/mcp", authorizationServers: [] };
  const context = { authenticate: () => ada, protectedResource: () => described };
  assert.throws(() => authenticatorOf(context, true), /protectedResource.*auth\.resource/);
  assert.is(authenticatorOf(context, false)?.protectedResource, described);
});

test("a misspelt authenticate is refused, which would let every caller in", () => {
  const network = serveNetwork({
    endpoints: new Map(),
    listen: () => Promise.reject(new Error("not listened")),
  });
  const started = network.choose([http], new Set(["http"]), parseFlags([]));
  const authenticate = () => ada;
  assert.throws(
    () => started?.prepare?.({ authentcate: authenticate }),
    ({ name, message }: Error) =>
      name === "SettingError" && message.includes("did you mean authenticate?"),
  );
  assert.not.throws(() => started?.prepare?.({ authenticate, ready: () => true }));
});

test.run();
