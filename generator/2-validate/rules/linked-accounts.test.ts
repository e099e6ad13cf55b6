import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const URLS = `authorizationUrl: "https://mail.example/authorize", tokenUrl: "https://mail.example/token"`;
const ACCESS = `auth: {resource: "https://books.example/mcp", jwt: [{issuer: "https://idp.example"}]}`;

interface Stated {
  readonly client?: string;
  readonly where?: string;
  readonly more?: string;
}

/** What is found in a manifest with accounts, whose \`perCaller\` stands in line 4. */
function findings({
  client = "clientSecret: {env: SECRET}",
  where = `baseUrl: "https://mail.example"`,
  more = `transports: [{type: http, allowedHosts: [books.example]}]\n${ACCESS}`,
}: Stated = {}): string[] {
  const text = `name: demo
version: 1.0.0
env: {SECRET: {secret: true}}
upstreams: {mail: {${where}, auth: {perCaller: {${URLS}, clientId: books, ${client}}}}}
${more}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(({ line, code, message }) => `${line} ${code} ${message}`);
}

function expectOne(stated: Stated, found: RegExp): void {
  const all = findings(stated);
  assert.is(all.filter((one) => found.test(one)).length, 1, `${String(found)}\n${all.join("\n")}`);
}

test("linked accounts with a secret, scopes, an issuer and parameters are accepted", () => {
  const client =
    'clientSecret: {env: SECRET}, scopes: [read, "https://mail.example/send"], issuer: "https://mail.example", parameters: {access_type: offline}';
  assert.equal(findings({ client }), []);
});

test("a client without a secret or key, or with a scope that has a space in it, is reported", () => {
  expectOne({ client: "sendIn: form" }, /^4 MW2026 perCaller needs exactly one/);
  expectOne({ client: 'clientSecret: {env: SECRET}, scopes: ["a b"]' }, /a scope has no spaces/);
});

test("linked accounts are reported where the server does not know its callers, or all callers share a connection", () => {
  expectOne({ more: "transports: [{type: stdio}]" }, /^4 MW2126 perCaller needs callers/);
  expectOne(
    { where: 'mcp: {url: "https://mail.example/mcp"}' },
    /^4 MW2125 perCaller is for a service over HTTP/,
  );
});

test("linked accounts are reported without the transport http, to which the browser comes back", () => {
  for (const transport of ["{type: websocket}", "{type: sse}"]) {
    expectOne({ more: `transports: [${transport}]\n${ACCESS}` }, /^4 MW2250 .* transport http/);
  }
});

test("a tool or an alias with the name of a tool that the server adds is reported", () => {
  const tools = `tools:
  - {name: connect, description: Connects a call, aliases: [link]}
  - {name: end, description: Ends a call, aliases: [disconnect]}`;
  const more = `transports: [{type: http}]\n${ACCESS}\n${tools}`;
  expectOne({ more }, /^8 MW2251 .*"connect"/);
  expectOne({ more }, /^9 MW2251 .*"disconnect"/);
});

test("platforms that keep no process cannot have accounts, unless Redis keeps them", () => {
  const on = (platform: string, scale = ""): Stated => ({
    more: `transports: [{type: http, allowedHosts: [books.example]}]\n${ACCESS}\ndeploy: {docker: false, ${platform}: true}\n${scale}`,
  });
  const scale = "scale: {redis: {env: REDIS}}";
  for (const platform of ["workers", "lambda", "vercel"]) {
    expectOne(on(platform), /^4 MW221\d .*accounts of the callers of mail/);
  }
  expectOne(on("workers", scale), /^4 MW221\d .*accounts of the callers of mail/);
  assert.not.match(findings(on("lambda", scale)).join("\n"), "accounts of the callers");
});

test.run();
