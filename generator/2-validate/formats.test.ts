import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "./validate.js";

/** Texts that each format accepts, and texts that it refuses. */
interface FormatCases {
  readonly at: (text: string) => object;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const resource = (fields: object) => ({
  resources: [{ uri: "demo://a", name: "a", description: "x", ...fields }],
});
const tool = (fields: object) => ({ tools: [{ name: "a", description: "x", ...fields }] });
const http = (fields: object) => ({ transports: [{ type: "http", ...fields }] });

const FORMATS: Readonly<Record<string, FormatCases>> = {
  "package name": {
    at: (name) => ({ name }),
    good: ["demo", "a-b_c.d~e", "0", "@acme/weather", "@acme/a.b", "a".repeat(214)],
    bad: [
      "",
      "Demo",
      "a b",
      ".a",
      "_a",
      "@acme",
      "@a/b/c",
      "@/b",
      "a/b",
      "fs",
      "node_modules",
      "é",
    ],
  },
  scope: {
    at: (scope) => tool({ scopes: [scope] }),
    good: ["read", "files:write", "https://a.example/scope", "!#[]~", "a".repeat(200)],
    bad: ["", "read write", 'a"b', "a\\b", "é", "a\tb", "offline_access"],
  },
  "resource URI": {
    at: (uri) => resource({ uri }),
    good: ["demo://readme", "https://a.example/", "file:///a/b", "urn:isbn:123", "ui://a", "a:b"],
    bad: [
      "",
      "readme",
      "/a",
      "demo://a b",
      "https://a.example",
      "HTTPS://a.example/",
      "file:///a/../b",
    ],
  },
  "URI template": {
    at: (uriTemplate) => ({ resourceTemplates: [{ uriTemplate, name: "a", description: "x" }] }),
    good: [
      "demo://{a}",
      "https://a.example/{id}",
      "urn:isbn:{isbn}",
      "https://{host}/x",
      "a:{+rest}",
    ],
    bad: ["{a}", "{scheme}://x", "a/{b}", "data:{a}", "demo://a b/{c}", "https://A.example/{id}"],
  },
  "URL of a question": {
    at: (url) => tool({ elicitations: { ask: { message: "Go?", url } } }),
    good: [
      "https://a.example",
      "https://a.example/{{who}}?to={{where}}#{{what}}",
      "http://localhost:3000/x",
      "https://a.example?x={{who}}",
    ],
    bad: [
      "",
      "{{url}}",
      "https://{{host}}/x",
      "https://a.example{{rest}}",
      "https://a.{{tld}}/",
      "https:{{rest}}",
      "javascript:alert(1)",
      "/x",
      "https://a.example/ b",
      "file:///etc/passwd",
    ],
  },
  base64: {
    at: (blob) => resource({ blob }),
    good: ["", "aGVsbG8=", "aGVsbG8h", "aA=="],
    bad: ["a", "aGVsbG8", "a=GVsbG8", "aGVs bG8=", "aG-_", "===="],
  },
  "project path": {
    at: (file) => resource({ file }),
    good: ["a", "docs/help.md", ".well-known/x", "a..b/c"],
    bad: [
      "",
      "/etc/passwd",
      "../x",
      "a/../../b",
      "C:\\x",
      "c:/x",
      "a\\b",
      "~/x",
      "./x",
      "a//b",
      "a/",
      "a\nb",
    ],
  },
  "web site": {
    at: (websiteUrl) => ({ websiteUrl }),
    good: ["https://a.example", "http://a.example/b?c#d"],
    bad: ["", "a.example", "ftp://a.example", "javascript:alert(1)", "https://", "https://a b"],
  },
  icon: {
    at: (src) => ({ icons: [{ src }] }),
    good: ["https://a.example/i.png", "data:image/svg+xml;base64,aGVsbG8="],
    bad: [
      "http://a.example/i.png",
      "data:text/html;base64,aGVsbG8=",
      "data:image/png,x",
      "file:///i.png",
    ],
  },
  "app origin": {
    at: (origin) => ({
      tools: [
        { name: "a", description: "d", ui: { file: "a.html", csp: { connectDomains: [origin] } } },
      ],
    }),
    good: [
      ...["https://a.example", "wss://a.example:8080", "https://*.a.example"],
      ...["http://localhost:3000", "https://[::1]:8443", "ws://127.0.0.1"],
    ],
    bad: [
      ...["*", "https:", "https://*", "https://a.*.example", "a.example", "'self'", "data:"],
      ...["https://a.example/", "https://a.example/v1", "https://A.example", "ftp://a.example"],
      ...["https://a.example; script-src *", "https://a.example https://b.example", ""],
      ...["https://u@a.example", "https://a.example:99999", "https://a.example?x"],
    ],
  },
  origin: {
    at: (origin) => http({ allowedOrigins: [origin] }),
    good: [
      ...["https://a.example", "http://a.example:8080", "vscode-webview://x"],
      ...["http://localhost:*", "https://127.0.0.1:*", "http://[::1]:*", "vscode-webview://*"],
    ],
    bad: [
      "*",
      "null",
      "a.example",
      "https://a.example/",
      "https://*.a.example",
      ...[
        "http://*",
        "https://*",
        "file://*",
        "http://a.example:*",
        "http://localhost:80*",
        "*://localhost",
      ],
      "https://a.example:443",
    ],
  },
  host: {
    at: (host) => http({ allowedHosts: [host] }),
    good: ["a.example", "localhost", "[::1]", "10.0.0.1"],
    bad: ["*", "*.a.example", "a.example:80", "https://a.example", "", "a/b"],
  },
  "key of _meta": {
    at: (key) => tool({ _meta: { [key]: 1 } }),
    good: ["a", "com.example/team", "ui/resourceUri", "a-b_c.d", "com.example/"],
    bad: ["", "-a", "a-", "1a/b", "a.-b/c", "a/b/c", "a b"],
  },
  "path of a page": {
    at: (path) => http({ path }),
    good: ["/", "/mcp", "/a/b.c"],
    bad: ["", "mcp", "/a b", "/a?b", "//a", "/a/", "/%2e"],
  },
};

function errorsOf(fields: object): string[] {
  const json = JSON.stringify({ name: "demo", version: "1.0.0", ...fields });
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(json));
  const found = manifest === undefined ? diagnostics : validateManifest(manifest);
  return found.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

for (const [name, { at, good, bad }] of Object.entries(FORMATS)) {
  test(`${name}: correct texts are accepted`, () => {
    for (const text of good) assert.equal(errorsOf(at(text)), [], text);
  });
  test(`${name}: each wrong text has one error`, () => {
    for (const text of bad)
      assert.is(errorsOf(at(text)).length, 1, `${text}: ${errorsOf(at(text))}`);
  });
}

test.run();
