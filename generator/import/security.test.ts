import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { JsonObject } from "../model/json.js";
import { importOpenApi } from "./import-openapi.js";
import { readDocument } from "./read-document.js";

/** Security schemes that an operation requires together, and the settings of the upstream. */

const URLS = "tokenUrl: https://a.example/t, authorizationUrl: https://a.example/a, scopes: {}";
const SCHEMES = `
basic: {type: http, scheme: basic}
bearer: {type: http, scheme: bearer}
login: {type: oauth2, flows: {authorizationCode: {${URLS}}}}
machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.example/t, scopes: {}}}}
key: {type: apiKey, in: header, name: X-Key}
secret: {type: apiKey, in: header, name: X-Secret}
whole: {type: apiKey, in: header, name: Authorization}
query: {type: apiKey, in: query, name: k}
other: {type: apiKey, in: query, name: o}
cookie: {type: apiKey, in: cookie, name: c}
certificate: {type: mutualTLS}`;

interface Result {
  readonly upstream: JsonObject | undefined;
  readonly env: JsonObject;
  readonly messages: string;
}

function needing(names: string): Result {
  const all = names.split(" ").map((name) => `${name}: []`);
  const text = `openapi: 3.1.0
info: {title: A}
servers: [{url: https://a.example}]
components: {securitySchemes: {${SCHEMES.trim().replaceAll("\n", ", ")}}}
paths: {/a: {get: {security: [{${all.join(", ")}}]}}, /b: {get: {}}}\n`;
  const read = readDocument("a.yaml", Buffer.from(text));
  if ("problem" in read) throw new Error(read.problem.message);
  const { manifest = "", diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    ...{ withOutput: true, recordedPath: "a.yaml", place: commandLinePlace(0) },
  });
  const { upstreams, env } = parse(manifest) as { upstreams: JsonObject; env: JsonObject };
  const ofServer = Object.values(upstreams) as JsonObject[];
  const upstream = ofServer.find((one) => Object.keys(one).length > 1);
  const messages = diagnostics.map(({ message }) => message).join("\n");
  return { upstream, env, messages };
}

const env = (name: string): JsonObject => ({ env: name });
const BASIC = { basic: { username: env("A_BASIC_USERNAME"), password: env("A_BASIC_PASSWORD") } };
const BEARER = { bearer: env("A_BEARER_TOKEN") };
const QUERY = { query: { name: "k", value: env("A_QUERY_KEY") } };
const MACHINE = {
  clientCredentials: {
    tokenUrl: "https://a.example/t",
    ...{ clientId: env("A_MACHINE_CLIENT_ID"), clientSecret: env("A_MACHINE_CLIENT_SECRET") },
  },
};

const TOGETHER: readonly (readonly [schemes: string, settings: JsonObject])[] = [
  ["key secret", { headers: { "X-Key": env("A_KEY"), "X-Secret": env("A_SECRET_KEY") } }],
  ["basic key", { auth: BASIC, headers: { "X-Key": env("A_KEY") } }],
  ["bearer key", { auth: BEARER, headers: { "X-Key": env("A_KEY") } }],
  ["query key", { auth: QUERY, headers: { "X-Key": env("A_KEY") } }],
  ["query bearer", { auth: QUERY, headers: { Authorization: env("A_BEARER_AUTHORIZATION") } }],
  ["basic query", { auth: QUERY, headers: { Authorization: env("A_BASIC_AUTHORIZATION") } }],
  [
    "cookie bearer",
    {
      auth: { cookie: { name: "c", value: env("A_COOKIE_KEY") } },
      headers: { Authorization: env("A_BEARER_AUTHORIZATION") },
    },
  ],
  ["basic whole", { auth: BASIC }],
  ["bearer login", { auth: BEARER }],
  ["login machine", { auth: MACHINE }],
  ["bearer machine", { auth: MACHINE }],
  [
    "certificate bearer",
    { auth: BEARER, cert: "A_CERTIFICATE_CERT", key: "A_CERTIFICATE_CERT_KEY" },
  ],
];

for (const [schemes, settings] of TOGETHER) {
  test(`${schemes.replace(" ", " and ")} together become settings of one upstream`, () => {
    const { upstream, messages } = needing(schemes);
    assert.equal(upstream, { baseUrl: env("A_URL"), ...settings });
    assert.is(messages, "");
  });
}

test("a variable for a whole header is secret and describes its value", () => {
  assert.equal(needing("basic query").env["A_BASIC_AUTHORIZATION"], {
    description: 'The whole header Authorization: "Basic" and the base64 of user:password',
    secret: true,
  });
});

for (const schemes of ["query other", "cookie query", "basic bearer", "machine query"]) {
  test(`an operation that needs ${schemes.replace(" ", " and ")} together is left out`, () => {
    const { upstream, messages } = needing(schemes);
    assert.is(upstream, undefined);
    const names = schemes.split(" ").sort().join(" and ");
    assert.match(
      messages,
      `GET /a is left out: it needs ${names} at once, and an upstream has one`,
    );
  });
}

test.run();
