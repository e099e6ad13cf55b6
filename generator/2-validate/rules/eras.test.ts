import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { needsSessions } from "../../model/catalogue/rules-eras.js";
import { validateManifest } from "../validate.js";

function found(lines: string, code: string): readonly Diagnostic[] {
  const yaml = `name: demo\nversion: 1.0.0\n${lines}\n`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(`not YAML: ${lines}`);
  return validateManifest(manifest).filter((diagnostic) => diagnostic.code === code);
}

const HTTP = "transports: [{type: http}]";
const QUESTION =
  "{sure: {message: Sure?, requestedSchema: {type: object, properties: {ok: {type: boolean}}}}}";
const tool = (fields: string): string => `tools: [{name: a, description: x, ${fields}}]`;
const resource = (fields: string): string =>
  `resources: [{uri: "a://b", name: b, description: x, ${fields}}]`;
const template = (fields: string): string =>
  `resourceTemplates: [{uriTemplate: "a://{c}", name: c, description: x, ${fields}}]`;
const prompt = (fields: string): string => `prompts: [{name: p, description: x, ${fields}}]`;

/** The items that the warning names. */
const namedItems = (lines: string): string | undefined =>
  found(lines, "MW2315")[0]?.message.replace(/^.*no change: /, "");

test("every feature that needs a connection to older clients is named, on every kind of item", () => {
  const needs: readonly [lines: string, words: string][] = [
    [tool(`elicitations: ${QUESTION}`), '"a" asks the user'],
    [prompt(`elicitations: ${QUESTION}`), '"p" asks the user'],
    [resource(`elicitations: ${QUESTION}`), '"b" asks the user'],
    [template(`elicitations: ${QUESTION}`), '"c" asks the user'],
    [tool("uses: [sampling]"), '"a" asks its client'],
    [prompt("uses: [roots]"), '"p" asks its client'],
    [resource("subscribe: true"), '"b" can be subscribed to'],
    [template("subscribe: true"), '"c" can be subscribed to'],
    [template("directory: {root: docs, watch: true}"), '"c" is a folder that is watched'],
    [template("list: code"), '"c" has a list that changes'],
    [tool("enabled: true"), '"a" can be switched on and off'],
    [prompt("enabled: false"), '"p" can be switched on and off'],
  ];
  for (const [lines, words] of needs) assert.is(namedItems(`${HTTP}\n${lines}`), words, lines);
});

test("one warning at the transport names the first places and the three remedies", () => {
  const items = ["a", "b", "c", "d", "e"]
    .map((name) => `  - {name: ${name}, description: Does ${name}., elicitations: ${QUESTION}}`)
    .join("\n");
  const [diagnostic, ...others] = found(
    `transports:\n  - type: stdio\n  - type: http\n    sessions: none\ntools:\n${items}`,
    "MW2315",
  );
  assert.equal(others, []);
  assert.is(diagnostic?.severity, "warning");
  assert.equal([diagnostic?.line, diagnostic?.column], [6, 15]);
  assert.match(
    diagnostic?.message ?? "",
    /"a" asks the user, "b" asks the user, "c" asks the user and 2 more$/,
  );
  assert.equal(
    diagnostic?.related?.map(({ line }) => line),
    [8, 9, 10],
  );
  for (const way of ["sessions: memory", "legacy: reject", "ctx.can"]) {
    assert.match(diagnostic?.hint ?? "", way);
  }
});

test("there is no warning if older clients have sessions, are turned away, or use other transports", () => {
  const asking = tool(`elicitations: ${QUESTION}, uses: [roots], enabled: true`);
  for (const transports of [
    "transports: [{type: http, sessions: memory}]",
    "protocol: {legacy: reject}\ntransports: [{type: http}]",
    "transports: [{type: stdio}, {type: websocket}]",
    "diagnostics: {MW2315: off}\ntransports: [{type: http}]",
  ]) {
    assert.is(namedItems(`${transports}\n${asking}`), undefined, transports);
  }
  const quiet = `${tool("elicitations: {}, uses: []")}\n${resource("subscribe: false")}`;
  assert.is(namedItems(`${HTTP}\n${quiet}`), undefined);
});

test("changes that no code of the project can report to clients give no warning", () => {
  const body = "text: fixed, subscribe: true, enabled: true";
  const sql =
    "list: {http: {upstream: u, path: /x}}, http: {upstream: u, path: /y, query: {c: '{{c}}'}}";
  const upstream = `${HTTP}\nupstreams: {u: {baseUrl: "https://u.example"}}`;
  assert.is(namedItems(`${HTTP}\n${resource(body)}`), undefined);
  assert.is(namedItems(`${upstream}\n${template(sql)}`), undefined);
  assert.is(
    namedItems(`${HTTP}\n${resource(body)}\n${tool("content: [{type: text, text: a}]")}`),
    undefined,
  );
  const both = '"b" can be subscribed to, "b" can be switched on and off';
  assert.is(namedItems(`${HTTP}\n${resource(body)}\n${tool("title: A")}`), both);
  const completed = prompt(
    "arguments: [{name: q, complete: code}], messages: [{role: user, content: {type: text, text: '{{q}}'}}]",
  );
  assert.is(namedItems(`${HTTP}\n${resource(body)}\n${completed}`), both);
});

test("the explanation says what becomes of cancellations", () => {
  const explained = explainedDiagnostics().find(({ code }) => code === needsSessions.entry.code);
  const cause = explained?.cause ?? "";
  assert.match(cause, /`notifications\/cancelled` cannot reach the call/);
  assert.match(cause, /a client that hangs up ends its call/);
});

test("each use of sampling and roots is reported as deprecated", () => {
  const used = found(`${tool("uses: [sampling, roots]")}\n${prompt("uses: [roots]")}`, "MW2316");
  assert.equal(
    used.map(({ line, column, message }) => `${line}:${column} ${message.split(" ")[0]}`),
    ["3:42 sampling", "3:52 roots", "4:44 roots"],
  );
  assert.equal(
    used.map(({ severity }) => severity),
    ["warning", "warning", "warning"],
  );
  assert.equal(found(`diagnostics: {MW2316: off}\n${tool("uses: [roots]")}`, "MW2316"), []);
});

test.run();
