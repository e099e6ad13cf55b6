import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { sampleServer } from "../samples/server.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { Gate } from "./gate.js";
import type { RequestHead } from "./request-head.js";

/** The gate as another runtime than Node.js uses it: for requests of the web's own type. */

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const URL_HERE = "http://localhost:3000/mcp";

/** What the gate needs of a request that has this address. */
function headOf({ method, headers }: Request, remoteAddress = "192.0.2.1"): RequestHead {
  const own = { ...Object.fromEntries(headers), host: headers.get("host") ?? "localhost:3000" };
  return {
    method,
    headers: own,
    rawHeaders: Object.entries(own).flat(),
    socket: { remoteAddress },
  };
}

function gateOf(server: RunningServer = running()): Gate {
  return new Gate(server, { ...http, allowedOrigins: ["https://app.example"] });
}

function running(token?: string, ratePerSecond = 1_000): RunningServer {
  const authenticate = ({ token: given }: { readonly token?: string }) =>
    given === token ? { principal: "ada", scopes: [] } : undefined;
  return createServer(
    { ...sampleServer, limits: { ratePerSecond } },
    {
      root: ".",
      log: createLog({ write: () => undefined }),
      ...(token !== undefined && { authentication: { authenticate } }),
    },
  );
}

const request = (headers: Record<string, string> = {}, method = "POST"): RequestHead =>
  headOf(new Request(URL_HERE, { method, headers }));

test("requests of the web's type pass, and are refused for their host, their origin and their rate", () => {
  const gate = gateOf();
  assert.is(gate.refusal(request()), undefined);
  assert.is(gate.refusal(request({ host: "evil.example" }))?.status, 403);
  assert.is(gate.refusal(request({ origin: "https://evil.example" }))?.status, 403);
  assert.is(gate.refusal(request({ origin: "https://app.example" })), undefined);
  const limited = gateOf(running(undefined, 1));
  assert.is(limited.refusal(request()), undefined);
  assert.is(limited.refusal(request())?.status, 429);
});

test("requests of the web's type are authenticated, and refusals have their headers", async () => {
  const gate = gateOf(running("secret"));
  const identified = gate.identify(request({ authorization: "Bearer secret" }));
  assert.not.instance(identified, Promise, "nothing has to be waited for");
  const sender = await identified;
  assert.is(sender.kind === "caller" && sender.caller.principal, "ada");
  const stranger = request({ authorization: "Bearer wrong", origin: "https://app.example" });
  const refused = await gate.identify(stranger);
  assert.is(refused.kind, "refused");
  const headers = refused.kind === "refused" ? gate.reportRefusal(stranger, refused.refusal) : {};
  assert.match(headers["www-authenticate"] ?? "", /^Bearer error="invalid_token"/);
  assert.is(headers["access-control-allow-origin"], "https://app.example");
});

test("a preflight gets headers if its origin may call", () => {
  const gate = gateOf();
  const preflight = (origin: string) =>
    gate.preflightHeaders(request({ origin }, "OPTIONS"), ["POST"]);
  assert.is(preflight("https://app.example")?.["access-control-allow-methods"], "POST");
  assert.is(preflight("https://evil.example"), undefined);
  assert.is(gate.preflightHeaders(request(), ["POST"]), undefined);
});

test("nothing that the gate imports is of node:http", () => {
  const found = new Map<string, readonly string[]>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const code = readFileSync(path, "utf8");
    const imported = [...code.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)"/gm)];
    const modules = imported.map(([, module = ""]) => module);
    found.set(path, modules);
    for (const module of modules.filter((one) => one.startsWith("."))) {
      visit(join(dirname(path), module));
    }
  };
  visit(fileURLToPath(new URL("./gate.js", import.meta.url)));
  assert.ok(found.size > 10, "the walk has left the first module");
  const builtins = [...found.values()].flat().filter((module) => module.startsWith("node:"));
  assert.equal([...new Set(builtins)].sort(), ["node:net", "node:util"]);
});

test.run();
