import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { validateManifest } from "./validate.js";

/** The diagnostics of a manifest with further lines. */
function problems(more: string): Diagnostic[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(`name: demo\nversion: 1.0.0\n${more}`));
  assert.ok(manifest, more);
  return validateManifest(manifest);
}

const tool = (text: string): string =>
  `env: { REPO: { default: "." } }
tools:
  - name: a
    description: Does a.
    inputSchema:
      type: object
      properties: { path: { type: string, description: A path } }
      required: [path]
      additionalProperties: false
    exec: { command: [ls, --, "{{path}}", "x${text}"] }
`;

test("a placeholder with the name of an environment variable gets a hint", () => {
  for (const text of ["{{env.REPO}}", "{{env:REPO}}", "{{process.env.REPO}}"]) {
    const [first] = problems(tool(text));
    assert.is(first?.code, "MW2040");
    assert.match(first?.hint ?? "", "a variable of the server is { env: REPO }");
  }
});

test("a placeholder with a word before an argument's name suggests the argument", () => {
  for (const text of ["{{input.path}}", "{{arguments.path}}"]) {
    assert.match(problems(tool(text))[0]?.message ?? "", 'did you mean "path"?');
  }
  assert.not.match(problems(tool("{{input.other}}"))[0]?.message ?? "", "did you mean");
});

test("the address of a token service is no secret, unless it contains a credential", () => {
  const codes = (url: string): string[] =>
    problems(`env: { TOKEN_URL: { type: url, default: "${url}" } }\ntools: []\n`).map(
      ({ code }) => code,
    );
  assert.not.ok(codes("https://auth.example/token").includes("MW2305"));
  for (const url of ["https://a:b@auth.example/", "https://auth.example/?key=x"]) {
    assert.ok(codes(url).includes("MW2305"), url);
  }
});

test("API keys as a text are an error, with a hint where they stand instead", () => {
  for (const [text, hint] of [
    ["KEYS", "write {env: KEYS}"],
    ['"${KEYS}"', "write {env: KEYS}"],
    ["$KEYS", "write {env: KEYS}"],
    ["OTHERS", "write a mapping, such as {env: API_KEYS}"],
  ] as const) {
    const found = problems(`transports: [{ type: http }]
env: { KEYS: { required: true, secret: true } }
auth: { apiKeys: ${text} }
${tool("").replace(/^env.*\n/, "")}`);
    const [keys] = found.filter(({ severity }) => severity === "error");
    assert.match(keys?.message ?? "", '"apiKeys" must be a mapping, not the text');
    assert.is(keys?.hint, hint);
  }
});

test("a variable in the notation of shells, in place of a value, gets a hint", () => {
  const env = "env: { API: { type: url, required: true }, DB: { required: true, secret: true } }\n";
  const hintOf = (more: string, code: string): string | undefined =>
    problems(env + more).find((one) => one.code === code)?.hint;
  assert.match(hintOf("upstreams: { a: { baseUrl: $API } }", "MW2029") ?? "", "{ env: API }");
  const bearer = "upstreams: { a: { baseUrl: 'https://a.example', auth: { bearer: '${DB}' } } }";
  assert.match(hintOf(bearer, "MW2305") ?? "", "{ env: DB }");
  const database = "databases: { a: { type: postgres, url: $DB } }";
  assert.match(hintOf(database, "MW2029") ?? "", "{ env: DB }");
  const file = "databases: { a: { type: sqlite, file: ~/notes.db } }";
  assert.match(hintOf(file, "MW2145") ?? "", "a variable of the server is { env: NAME }");
});

test("a variable that env does not declare, in place of a value, gets a hint", () => {
  const hintOf = (more: string): string | undefined =>
    problems(more).find(({ code }) => ["MW2029", "MW2080", "MW2305"].includes(code))?.hint;
  const hint = "a variable of the server is { env: API }, which env must declare";
  for (const text of ["${API}", "$API", "${env:API}", "{{env.API}}", "${{ secrets.API }}"]) {
    assert.is(hintOf(`upstreams: { a: { baseUrl: "${text}" } }`), hint, text);
    const api = `upstreams: { a: { baseUrl: "https://a.example", `;
    assert.is(hintOf(`${api}auth: { bearer: "${text}" } } }`), hint, text);
    assert.is(hintOf(`${api}headers: { X-Api-Key: "${text}" } } }`), hint, text);
    assert.is(
      hintOf(`${api}headers: { Authorization: "Bearer ${text}" } } }`),
      "write auth: { bearer: { env: API } }, and declare API under env",
      text,
    );
    assert.is(hintOf(`${api}auth: { bearer: "x${text}" } } }`), undefined, text);
  }
  const one = "upstreams: { a: { baseUrl: 'https://a.example', ";
  for (const [more, settings] of [
    ["upstreams: { a: { baseUrl: { env: API } } }", ", type: url"],
    [`${one}auth: { bearer: { env: API } } } }`, ", secret: true"],
    [`${one}headers: { X-Team: { env: API } } } }`, ""],
  ] as const) {
    assert.is(hintOf(more), `declare it: env: { API: { required: true${settings} } }`);
  }
  const env = "env: { API: { type: url, required: true } }\n";
  assert.is(hintOf(`${env}upstreams: { a: { baseUrl: { env: APIS } } }`), undefined);
});

test("a credential in a header of a request is said to be the upstream's", () => {
  const request = 'http: {upstream: a, path: /a, headers: {X-Key: "${DB}"}}';
  const found = problems(
    "env: { DB: { required: true, secret: true } }\nupstreams: { a: { baseUrl: 'https://a.example' } }\n" +
      `tools: [{ name: a, description: Does it., ${request} }]`,
  ).find(({ code }) => code === "MW2305");
  assert.is(found?.hint, "the upstream sends it: write headers: { X-Key: { env: DB } } there");
  assert.is(found?.mend, undefined);
});

test("settings of programs and folders with a placeholder that nothing replaces are refused", () => {
  const codes = (setting: string): string[] =>
    problems(tool("").replace("command:", `${setting}, command:`)).map(({ code }) => code);
  for (const setting of ['cwd: "{{env.REPO}}"', "cwd: $REPO/x", "cwd: ~/x", "env: { A: $REPO }"]) {
    assert.equal(codes(setting), ["MW2145"], setting);
  }
  assert.equal(codes("cwd: x~y"), []);
  assert.equal(codes('env: { A: "costs $5 {{x}}" }'), []);
  assert.equal(codes('env: { A: "{{json .}}", B: $OTHER }'), []);
});

/** Code, message and hint of each finding. The manifest declares two variables. */
function findings(more: string): string[] {
  const env = "env: { HOST: {}, TOKEN: { required: true, secret: true } }\n";
  return problems(env + more).map(({ code, message, hint = "" }) => `${code} ${message}: ${hint}`);
}

test("a variable beside other text is reported in settings that are taken as they stand", () => {
  const api = (more: string): string =>
    `upstreams: { api: { baseUrl: "https://api.example", ${more} } }\n`;
  const bearer = "write auth: { bearer: { env: TOKEN } }";
  const whole = "a variable of the server is { env: HOST }, which has the whole value";
  for (const [more, key, found, hint] of [
    [api('headers: { Authorization: "Bearer {{TOKEN}}" }'), "Authorization", "{{TOKEN}}", bearer],
    [api('headers: { authorization: "bearer $TOKEN" }'), "authorization", "$TOKEN", bearer],
    [api('headers: { X-C: "{env.HOST};a" }'), "X-C", "{env.HOST}", whole],
    [api('headers: { X-C: "a ${{ secrets.HOST }}" }'), "X-C", "${{ secrets.HOST }}", whole],
    ['upstreams: { a: { baseUrl: "https://{{HOST}}/v1" } }', "baseUrl", "{{HOST}}", whole],
    ['upstreams: { a: { baseUrl: "https://a.example/${HOST}" } }', "baseUrl", "${HOST}", whole],
    [
      'upstreams: { a: { baseUrl: "https://{region}.a.example" } }',
      "baseUrl",
      "{region}",
      whole.replace("HOST", "NAME"),
    ],
    [
      'upstreams: { a: { mcp: { command: [a, "--host={{HOST}}"] } } }',
      "command",
      "{{HOST}}",
      whole,
    ],
    ['databases: { a: { type: postgres, url: "postgres://${HOST}/a" } }', "url", "${HOST}", whole],
  ] as const) {
    const message = `MW2145 "${key}" is taken as it stands, and has "${found}"`;
    assert.equal(findings(more), [`${message}: ${hint}`], more);
  }
  assert.equal(findings(api('headers: { X-C: "a {{OTHER}} $5 {HOST}" }')), []);
  assert.equal(
    findings('upstreams: { a: { mcp: { command: [sh, -c, "echo ${HOST} $HOST"] } } }'),
    [],
  );
  assert.match(findings(api('headers: { Authorization: "Bearer {{OTHER}}" }')).join(), /^MW2305/);
});

test("a variable in the settings of `auth`, and a folder that only shells know, are reported", () => {
  const found = (auth: string): string[] =>
    findings(`transports: [{ type: http }]\nauth: ${auth}\n`).map((one) => one.split(":")[0] ?? "");
  const message = (key: string, part: string): string =>
    `MW2145 "${key}" is taken as it stands, and has "${part}"`;
  assert.equal(
    found('{ resource: "https://{{HOST}}/mcp", jwt: [{ issuer: "https://${HOST}/x" }] }'),
    [message("resource", "{{HOST}}"), message("issuer", "${HOST}")],
  );
  const issuer = 'resource: "https://a.example/mcp", jwt: [{ issuer: "https://b.example"';
  assert.equal(found(`{ ${issuer}, jwks: ~/keys.json }] }`), [message("jwks", "~")]);
  assert.equal(found(`{ ${issuer}, jwks: keys.json }] }`), []);
  assert.equal(found(`{ ${issuer}, audience: ["https://$HOST"] }] }`), [
    message("audience", "$HOST"),
  ]);
  assert.equal(found("{ apiKeys: { file: ~/keys.txt } }"), [message("file", "~")]);
});

test("a credential that names a variable in any notation gets a hint", () => {
  for (const value of ["{{TOKEN}}", "Token {{TOKEN}}", "Bearer $TOKEN"]) {
    const auth = `auth: { header: { name: X-Key, value: "${value}" } }`;
    const [only = ""] = findings(`upstreams: { a: { baseUrl: "https://a.example", ${auth} } }`);
    assert.match(only, /^MW2305 .*: the value of the variable is { env: TOKEN }$/);
  }
});

test("a value of the wrong form is reported, but not names that it would have declared", () => {
  const codes = (more: string): string[] => [...new Set(problems(more).map(({ code }) => code))];
  const prompt = (given: string, more: string): string =>
    `prompts: [{ name: p, description: x, arguments: ${given}, ${more} }]`;
  const messages = 'messages: [{ role: user, content: { type: text, text: "{{city}}" } }]';
  assert.equal(codes(prompt("[city]", messages)), ["MW1201"]);
  assert.equal(codes(prompt("{ city: { required: true } }", messages)), ["MW1201"]);
  assert.equal(codes(prompt("", messages)), ["MW1201"]);
  assert.equal(codes(prompt("[{ name: city }]", messages)), []);
  const api = 'upstreams: [{ name: api, baseUrl: "https://a.example" }]\n';
  const body = 'mcp: { upstream: api, arguments: { a: "{{city}}" } }';
  assert.equal(codes(`${api}${prompt("[city]", body)}`), ["MW1201"]);
  const call = "tools: [{ name: a, description: Does a., http: { upstream: api, path: /x } }]";
  assert.equal(codes(`${api}${call}`), ["MW1201"]);
  const select = 'sql: { database: db, query: "select 1" }';
  assert.equal(codes(`databases: [db]\ntools: [{ name: a, description: Does a., ${select} }]`), [
    "MW1201",
  ]);
  const key = 'upstreams: { a: { baseUrl: "https://a.example", auth: { bearer: { env: KEY } } } }';
  assert.equal(codes(`env: [KEY]\n${key}`), ["MW1201"]);
});

test("a host with a port gets no hint to open the server to everyone", () => {
  const hintsFor = (host: string): string[] =>
    problems(`transports: [{ type: http, host: "${host}" }]`).map(
      ({ code, hint = "" }) => `${code} ${hint}`,
    );
  for (const host of ["localhost:3000", "http://localhost", "0.0.0.0:80/x"]) {
    assert.match(hintsFor(host).join("\n"), /^MW1206[^\n]*$/, host);
  }
  assert.equal(hintsFor("127.0.0.1:3000"), ["MW2051 write host: 127.0.0.1, port: 3000"]);
  for (const host of ["0.0.0.0", "::", "example.com"]) {
    assert.match(hintsFor(host).join("\n"), /^MW2051 listen on 127.0.0.1[^\n]*$/, host);
  }
});

test("a list of API keys gets no hint to write a mapping", () => {
  const found = problems(`transports: [{ type: http }]\nauth: { apiKeys: [a, b] }\n${tool("")}`);
  assert.is(found.find(({ code }) => code === "MW1201")?.hint, undefined);
});

test("the hint for an unknown placeholder has the names that are allowed", () => {
  assert.match(problems(tool("{{elsewhere}}"))[0]?.hint ?? "", 'there is "path"');
});

test("a value that is empty because # begins a comment gets a hint to write it in quotes", () => {
  const shared = "schemas:\n  Pet:\n    type: string\n    ";
  for (const [yaml, hint] of [
    ["title: #1 server", '# begins a comment; write title: "#1 server"'],
    ["title:   #1 server\r", '# begins a comment; write title: "#1 server"'],
    [`${shared}$ref: #/schemas/Cat`, '# begins a comment; write $ref: "#/schemas/Cat"'],
    [`${shared}description: #12`, '# begins a comment; write description: "#12"'],
    [`${shared}description: # to do`, undefined],
    [`${shared}description: ""\n    title: #a`, '# begins a comment; write title: "#a"'],
  ] as const) {
    const errors = problems(`${yaml}\n`).filter(({ severity }) => severity === "error");
    assert.equal(
      errors.map((error) => error.hint),
      [hint],
      yaml,
    );
  }
});

test.run();
