import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The places of the findings of a manifest that has these lines from the third line on. */
function findings(...lines: string[]): string[] {
  const text = ["name: demo", "version: 1.0.0", ...lines, ""].join("\n");
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  return [...diagnostics, ...validateManifest(manifest!)].map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );
}

const NAMED = "transports: [{type: http, allowPublicBind: true, allowedHosts: [books]}]";
const SCOPED = "tools: [{name: a, description: Does a., scopes: [x]}]";
const KEYS = "auth: {apiKeys: {file: /run/keys/keys.txt}}";

test("a correct manifest has no findings", () => {
  for (const lines of [
    ["deploy: {docker: true, compose: true, kubernetes: true}", NAMED],
    ["deploy: {}", "transports: [{type: stdio}]"],
    ["deploy: {docker: true}"],
    ["deploy: {docker: false}", "transports: [{type: http}]"],
    ["deploy: {compose: true}", "transports: [{type: http}]", SCOPED],
    ["deploy: {compose: true}", "transports: [{type: http}]", KEYS],
  ]) {
    assert.equal(findings(...lines), [], lines.join("\n"));
  }
});

test("each mistake is reported at its place", () => {
  for (const [lines, found] of [
    [["deploy: {compose: true}"], ["3:10 MW2210"]],
    [["transports: [{type: stdio}]", "deploy: {kubernetes: true}"], ["4:10 MW2210"]],
    [["transports: [{type: http}]", "deploy: {}"], ["4:1 MW2211"]],
    [[NAMED, "auth: {apiKeys: {file: keys.txt}}", "deploy: {docker: true}"], ["4:24 MW2213"]],
    [
      [NAMED, "databases: {a: {type: sqlite, file: a.db}}", "deploy: {docker: true}"],
      ["4:23 MW2341", "4:37 MW2213"],
    ],
    [["transports: [{type: websocket}]", "deploy:", "  docker: true"], ["4:1 MW2211"]],
    [
      [
        "transports: [{type: http, allowPublicBind: true}, {type: websocket}]",
        "deploy: {docker: true}",
      ],
      ["4:1 MW2211"],
    ],
    [
      ["transports: [{type: http, allowPublicBind: true}]", "deploy: {kubernetes: true}"],
      ["4:10 MW2212"],
    ],
    [[NAMED, "deploy: {docker: yes}"], ["4:18 MW1201"]],
    [[NAMED, "deploy: {dokcer: true}"], ["4:10 MW1203"]],
  ] as const) {
    assert.equal(findings(...lines), found, lines.join("\n"));
  }
});

test.run();
