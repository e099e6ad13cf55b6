import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The findings of a manifest with this `package`, in flow style, on line 3, and further lines. */
function findings(wanted: string, ...lines: readonly string[]): string[] {
  const text = ["name: a", "version: 1.0.0", `package: ${wanted}`, ...lines, ""].join("\n");
  const loaded = loadManifest("mcp.yaml", Buffer.from(text));
  if (loaded.manifest === undefined) throw new Error(JSON.stringify(loaded));
  return validateManifest(loaded.manifest).map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );
}

const HTTP = "transports: [{type: http}]";
const STDIO = "transports: [{type: stdio}]";
const REGISTRY = "{registry: {name: acme/a1}}";
const URL_OF_A = "url: https://a.example/mcp";

test("a correct manifest has no findings", () => {
  for (const [wanted, ...lines] of [
    ["{}"],
    ["{registry: {name: io.github.Acme/a1}}"],
    ["{registry: {name: io.github.Acme/a1, npm: true}}", HTTP],
    [`{registry: {name: io.github.Acme/a1, npm: false, ${URL_OF_A}}}`, HTTP],
    [
      "{registry: {name: com.example/a1}}",
      "websiteUrl: https://a.example",
      "repository: {url: 'https://gitlab.com/acme/tools/a.git', directory: packages/a}",
    ],
    ["{registry: {name: com.example/a1}}", "repository: https://git.example/a/tree/main"],
    ["{}", "websiteUrl: http://a.example"],
    [`{registry: {name: com.example/a_b.c}}`, STDIO, `description: ${"x".repeat(100)}`],
    ["{mcpb: true}", "author: Ada"],
    ["{mcpb: false, clients: true}", HTTP],
    ["{clients: true}"],
    ["{github: true}", "repository: github:acme/a"],
    [
      "{registry: {name: com.example/a1, npm: false}}",
      HTTP,
      "auth: {resource: 'https://a.example/mcp', jwt: [{issuer: 'https://b.example'}]}",
    ],
  ] as const) {
    assert.equal(findings(wanted, ...lines), [], wanted);
  }
});

test("each mistake is reported at its place", () => {
  for (const [wanted, lines, found] of [
    ["true", [], ["3:10 MW1201"]],
    ["{registry: {}}", [], ["3:21 MW1204"]],
    ["{registry: {name: a}}", [], ["3:28 MW1206"]],
    ["{registry: {name: acme/a b}}", [], ["3:28 MW1206"]],
    ["{registri: {name: acme/a1}}", [], ["3:11 MW1203"]],
    ["{registry: {name: acme/a1, url: 'http://a.example'}}", [HTTP], ["3:42 MW2029"]],
    ["{registry: {name: acme/a1, url: 'https://{a}.example'}}", [HTTP], ["3:42 MW2029"]],
    [`{registry: {name: acme/a1, ${URL_OF_A}}}`, [STDIO], ["3:37 MW2202"]],
    ["{registry: {name: acme/a1, npm: false}}", [HTTP], ["3:11 MW2201"]],
    ["{registry: {name: acme/a1}}", ["transports: [{type: websocket}]"], ["3:11 MW2201"]],
    ...["acme/a", "a/acme", "acme/a_", "acme/-a", "acme./ab", "-acme/ab"].map(
      (name) => [`{registry: {name: ${name}}}`, [], ["3:28 MW1206"]] as const,
    ),
    [REGISTRY, ["websiteUrl: http://a.example"], ["4:13 MW2208"]],
    [REGISTRY, ["repository: https://github.com/acme/a/tree/main"], ["4:13 MW2208"]],
    [REGISTRY, ["repository: {url: 'github:acme/a', directory: 'packages/my a'}"], ["4:47 MW2208"]],
    ["{registry: {name: acme/a1, url: 'https://localhost/mcp'}}", [HTTP], ["3:42 MW2029"]],
    ["{registry: {name: acme/a1, url: 'https://me:pw@a.example'}}", [HTTP], ["3:42 MW2029"]],
    ["{registry: {name: acme/a1, url: 'https://a.example/#key'}}", [HTTP], ["3:42 MW2029"]],
    ["{mcpb: true}", [], ["3:11 MW2205"]],
    ["{mcpb: true}", [HTTP, "author: Ada"], ["3:11 MW2204"]],
    ["{clients: true}", ["transports: [{type: websocket}]"], ["3:11 MW2206"]],
    ["{github: true}", [], ["3:11 MW2207"]],
    ["{mcpb: yes}", ["author: Ada"], ["3:17 MW1201"]],
    ["{registry: {name: acme/a1}}", [`title: ${"x".repeat(101)}`], ["4:8 MW2203"]],
  ] as const) {
    assert.equal(findings(wanted, ...lines), found, wanted);
  }
});

test("a version that the registry takes for a range is reported", () => {
  const codes = (version: string): string[] => {
    const text = `name: a\nversion: ${version}\npackage: ${REGISTRY}\n`;
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
    return manifest === undefined ? [] : validateManifest(manifest).map(({ code }) => code);
  };
  for (const version of ["1.0.0-next.1", "1.0.0-X", "1.2.0-rc.1.fix"]) {
    assert.equal(codes(version), ["MW2208"], version);
  }
  for (const version of ["1.0.0", "1.0.0-rc.1", "1.0.0+next"]) {
    assert.equal(codes(version), [], version);
  }
});

test.run();
