import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stripComments, type ParseError } from "jsonc-parser";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withServer, type ServerEntry } from "./edit-settings.js";
import { installClient, type InstallableServer } from "./install-client.js";
import { knownClients } from "./known-clients.js";
import { readTextFile, replaceTextFile } from "./replace-file.js";

/** Realistic settings for each client, with comments, other servers and unknown keys. */
const SETTINGS: Readonly<Record<string, string>> = {
  vscode: `{
\t// Servers of the whole team. Ask before you change one.
\t"inputs": [
\t\t{ "type": "promptString", "id": "github-token", "description": "GitHub", "password": true },
\t],
\t"servers": {
\t\t"github": { // the hosted one
\t\t\t"type": "http",
\t\t\t"url": "https://api.githubcopilot.com/mcp/",
\t\t\t"headers": { "Authorization": "Bearer \${input:github-token}" }
\t\t}, /* kept for the demo: */
\t\t"everything": { "type": "stdio", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"] }, // production
\t},
}
`,
  cursor: `{
  "mcpServers": {
    "playwright": {
      "command": "npx @playwright/mcp@latest",
      "env": {}
    }
  }
}`,
  "claude-desktop": `{\r
    "globalShortcut": "Alt+Space",\r
    "mcpServers": {\r
        "filesystem": {\r
            "command": "npx",\r
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:\\\\Users\\\\ada\\\\Desktop"]\r
        }\r
    },\r
    "preferences": { "menuBarEnabled": false }\r
}\r
`,
  "claude-code": `{
  "numStartups": 214,
  "tipsHistory": { "new-user-warmup": 6 },
  "projects": {
    "/home/ada/books": { "allowedTools": [], "mcpServers": { "planner": { "command": "old" } } }
  },
  "oauthAccount": { "emailAddress": "ada@example.com" },
  "bypassPermissionsModeAccepted": false
}
`,
};

const stdioServer: InstallableServer = { name: "planner", isStarted: true, hasVariables: true };
const httpServer: InstallableServer = {
  name: "planner",
  isStarted: false,
  hasVariables: false,
  url: "http://127.0.0.1:3000/mcp",
  token: "PLANNER_TOKEN",
};

const folder = await mkdtemp(join(tmpdir(), "mcpwright-clients-"));
test.after(() => rm(folder, { recursive: true, force: true }));

/** Makes a home folder with these settings of clients, and a function that installs a server there. */
async function newHome(settings = SETTINGS) {
  const home = await mkdtemp(join(folder, "home-"));
  const machine = { platform: "linux", home, env: {} } as const;
  const clients = knownClients(machine);
  for (const [name, text] of Object.entries(settings)) {
    const file = fileOf(name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  function fileOf(name: string): string {
    return clients.get(name)?.file ?? "";
  }
  const install = (server: InstallableServer, ...args: string[]) =>
    withOutput(() => installClient(server, join(home, "planner"), args, machine));
  return { home, fileOf, install };
}

async function withOutput(run: () => Promise<number>): Promise<{ status: number; text: string }> {
  const { log, error } = console;
  let text = "";
  console.log = console.error = (line: string) => (text += `${line}\n`);
  try {
    return { status: await run(), text };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Parses a file of settings as its client does. */
function parseSettings(text: string): Record<string, Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  assert.equal(errors, [], text);
  return value as Record<string, Record<string, unknown>>;
}

const commentsOf = (text: string): string[] => text.match(/\/\/[ A-Z].*|\/\*.*?\*\//g) ?? [];

for (const name of Object.keys(SETTINGS)) {
  test(`${name}: the server is added, and everything else stays`, async () => {
    const { home, fileOf, install } = await newHome();
    const before = SETTINGS[name] ?? "";
    const { status, text } = await install(stdioServer, name);
    assert.is(status, 0, text);
    const after = await readFile(fileOf(name), "utf8");
    assert.is(await readFile(`${fileOf(name)}.saved`, "utf8"), before);
    const key = name === "vscode" ? "servers" : "mcpServers";
    const { [key]: servers = {}, ...otherKeys } = parseSettings(after);
    const { [key]: formerServers = {}, ...formerOtherKeys } = parseSettings(before);
    const { planner, ...otherServers } = servers;
    assert.equal({ ...otherServers }, { ...formerServers });
    assert.equal(otherKeys, formerOtherKeys);
    assert.equal(commentsOf(after), commentsOf(before));
    assert.is(after.includes("\r\n"), before.includes("\r\n"));
    assert.not.match(
      stripComments(after).replaceAll("\r\n", ""),
      before.includes("\r\n") ? /\n/ : /\r/,
    );
    const root = join(home, "planner");
    assert.equal(planner, {
      ...(["vscode", "claude-code"].includes(name) && { type: "stdio" }),
      command: process.execPath,
      args: [
        "--enable-source-maps",
        join(root, "dist/bundle.mjs"),
        "--stdio",
        "--dotenv",
        join(root, ".env"),
      ],
    });
    const again = await install(stdioServer, name);
    assert.match(again.text, "has planner already");
    assert.is(await readFile(fileOf(name), "utf8"), after);
  });
}

test("a comment stays beside the server that it describes", async () => {
  const { fileOf, install } = await newHome();
  await install(stdioServer, "vscode");
  const after = await readFile(fileOf("vscode"), "utf8");
  assert.match(after, /"everything": .*\}, \/\/ production\n/);
  assert.match(after, /"github": \{ \/\/ the hosted one\n/);
});

test("a comment after the last key stays beside it if the object of servers is new", () => {
  const settings = { key: "servers", name: "planner", settings: {}, inputs: [] };
  assert.match(withServer('{\n  "a": 1 // one\n}', settings), /"a": 1 \/\/ one\n\}$/);
});

test("the entry of an HTTP server refers to the token in the client's own syntax", async () => {
  const { fileOf, install } = await newHome();
  for (const [name, token] of [
    ["vscode", "${input:planner-token}"],
    ["cursor", "${env:PLANNER_TOKEN}"],
    ["claude-code", "${PLANNER_TOKEN}"],
  ] as const) {
    assert.is((await install(httpServer, name)).status, 0);
    const settings = parseSettings(await readFile(fileOf(name), "utf8"));
    const { planner } = settings[name === "vscode" ? "servers" : "mcpServers"] ?? {};
    assert.equal(planner, {
      ...(name !== "cursor" && { type: "http" }),
      url: httpServer.url,
      headers: { Authorization: `Bearer ${token}` },
    });
  }
  const { inputs } = parseSettings(await readFile(fileOf("vscode"), "utf8"));
  assert.equal(
    Object.values(inputs ?? {}).map((input) => (input as { id: string }).id),
    ["github-token", "planner-token"],
  );
  const desktop = await install(httpServer, "claude-desktop");
  assert.is(desktop.status, 1);
  assert.match(desktop.text, "Settings → Connectors");
  assert.is(await readFile(fileOf("claude-desktop"), "utf8"), SETTINGS["claude-desktop"]);
});

test("an existing entry is updated, and the user's own keys in it stay", async () => {
  const existing = `{"mcpServers": {"planner": {"url": "http://old", "env": {"A": "b"}, /* mine */ "disabled": true}}}`;
  const { fileOf, install } = await newHome({ cursor: existing });
  await install({ ...stdioServer, hasVariables: false }, "cursor");
  const after = await readFile(fileOf("cursor"), "utf8");
  const { planner } = parseSettings(after)["mcpServers"] as { planner: Record<string, unknown> };
  assert.equal(Object.keys(planner).sort(), ["args", "command", "disabled", "env"]);
  assert.match(after, "/* mine */");
});

test("a malformed file is refused with line and column, and stays unchanged", async () => {
  for (const [broken, message] of [
    ['{"mcpServers": {"a": {"command": "x"}', /:1:\d+: \w+Expected/],
    ['{\n  "mcpServers": {\n    "a" {}\n  }\n}', /:3:9: ColonExpected/],
    ["<<<<<<< HEAD\n{}\n", /:1:1: InvalidSymbol/],
    ["[]", /:1:1: this must be an object/],
    ['{"mcpServers": []}', /:1:16: this must be an object/],
    ['{"a": 1} {"b": 2}', /:1:10: EndOfFileExpected/],
    ['{"mcpServers": {"a": "\u0000', /:1:\d+: /],
  ] as const) {
    const { fileOf, install } = await newHome({ cursor: broken });
    const { status, text } = await install(stdioServer, "cursor");
    assert.is(status, 1, broken);
    assert.match(text, message, broken);
    assert.match(text, "Nothing was changed.");
    assert.is(await readFile(fileOf("cursor"), "utf8"), broken);
    assert.equal(await readdir(dirname(fileOf("cursor"))), ["mcp.json"]);
  }
});

test("a file that is not UTF-8 is refused, and a byte-order mark stays", async () => {
  const { fileOf, install } = await newHome({ cursor: "" });
  const latin = Buffer.from('{"a": "\xe9"}', "latin1");
  await writeFile(fileOf("cursor"), latin);
  assert.is((await install(stdioServer, "cursor")).status, 1);
  assert.equal(await readFile(fileOf("cursor")), latin);
  await writeFile(fileOf("cursor"), '\uFEFF{"a": 1}');
  assert.is((await install(stdioServer, "cursor")).status, 0);
  assert.match(await readFile(fileOf("cursor"), "utf8"), /^\uFEFF\{/);
});

test("a missing file is created with mode 0600, and one with comments only gets an object", async () => {
  const { fileOf, install } = await newHome({ cursor: "// nothing yet" });
  assert.is((await install(stdioServer, "cursor")).status, 0);
  assert.match(await readFile(fileOf("cursor"), "utf8"), /^\/\/ nothing yet\n\{/);
  assert.is((await install(stdioServer, "vscode")).status, 0);
  assert.ok(
    "planner" in (parseSettings(await readFile(fileOf("vscode"), "utf8"))["servers"] ?? {}),
  );
  if (process.platform !== "win32") assert.is((await stat(fileOf("vscode"))).mode & 0o777, 0o600);
});

test("a symbolic link to the settings stays one, and the file keeps its mode", async () => {
  const { home, fileOf, install } = await newHome({ cursor: "" });
  const real = join(home, "dotfiles.json");
  await writeFile(real, "{}");
  await chmod(real, 0o664);
  await rm(fileOf("cursor"));
  await symlink(real, fileOf("cursor"));
  assert.is((await install(stdioServer, "cursor")).status, 0);
  assert.ok((await lstat(fileOf("cursor"))).isSymbolicLink());
  assert.match(await readFile(real, "utf8"), "planner");
  assert.is((await stat(real)).mode & 0o777, 0o664);
});

test("a read-only file is refused", async () => {
  const { fileOf, install } = await newHome();
  await chmod(fileOf("cursor"), 0o444);
  const { status, text } = await install(stdioServer, "cursor");
  assert.is(status, 1);
  assert.match(text, "the file is read-only");
  assert.is(await readFile(fileOf("cursor"), "utf8"), SETTINGS["cursor"]);
  assert.equal(await readdir(dirname(fileOf("cursor"))), ["mcp.json"]);
});

test("a file of many megabytes is refused, and a long line is edited without laying it out", async () => {
  const { fileOf, install } = await newHome();
  const blanks = " ".repeat(9_000_000);
  await writeFile(fileOf("cursor"), blanks);
  const { status, text } = await install(stdioServer, "cursor");
  assert.is(status, 1);
  assert.match(text, "it is larger than 8388608 bytes");
  assert.is((await readFile(fileOf("cursor"), "utf8")).length, blanks.length);
  const list = `{"history":[${"1,".repeat(500_000)}1]}`;
  await writeFile(fileOf("cursor"), list);
  assert.is((await install(stdioServer, "cursor")).status, 0);
  const edited = await readFile(fileOf("cursor"), "utf8");
  assert.is(edited.slice(0, list.length - 1), list.slice(0, -1));
  assert.ok("planner" in (parseSettings(edited)["mcpServers"] ?? {}));
});

test("a file that another program changed meanwhile is not replaced", async () => {
  const { fileOf } = await newHome();
  const file = await readTextFile(fileOf("claude-code"));
  await writeFile(fileOf("claude-code"), '{"numStartups": 215}');
  const refusal = await replaceTextFile(file, "{}").catch((error: Error) => error.message);
  assert.match(String(refusal), "changed by another program");
  assert.is(await readFile(fileOf("claude-code"), "utf8"), '{"numStartups": 215}');
  assert.equal(
    (await readdir(dirname(fileOf("claude-code")))).filter((path) => /\.new$/.test(path)),
    [],
  );
});

test("--file names another file, and wrong arguments show the usage", async () => {
  const { home, install } = await newHome({});
  const file = join(home, "project.json");
  assert.is((await install(stdioServer, "vscode", "--file", file)).status, 0);
  assert.ok("planner" in (parseSettings(await readFile(file, "utf8"))["servers"] ?? {}));
  for (const args of [[], ["emacs"], ["vscode", "cursor"], ["vscode", "--fiel", file]]) {
    const { status, text } = await install(stdioServer, ...args);
    assert.is(status, 1);
    assert.match(text, "NAME is one of vscode, cursor, claude-desktop, claude-code.");
  }
});

test("settings are found where each system keeps them", () => {
  const fileOn = (platform: NodeJS.Platform, env: Record<string, string>, name: string) =>
    knownClients({ platform, home: "/home/ada", env }).get(name)?.file.replaceAll("\\", "/");
  assert.is(fileOn("linux", {}, "vscode"), "/home/ada/.config/Code/User/mcp.json");
  assert.is(fileOn("linux", { XDG_CONFIG_HOME: "/x" }, "vscode"), "/x/Code/User/mcp.json");
  assert.is(
    fileOn("darwin", {}, "claude-desktop"),
    "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
  );
  assert.is(
    fileOn("win32", { APPDATA: "/ada/Roaming" }, "claude-desktop"),
    "/ada/Roaming/Claude/claude_desktop_config.json",
  );
  assert.is(fileOn("darwin", {}, "cursor"), "/home/ada/.cursor/mcp.json");
  assert.is(fileOn("linux", {}, "claude-code"), "/home/ada/.claude.json");
});

test("edited settings stay valid, whatever their layout", () => {
  const entry: ServerEntry = {
    key: "mcpServers",
    name: "planner",
    settings: { url: "http://a" },
    inputs: [],
  };
  for (const text of [
    "{}",
    "{ }\n",
    '{"a":1,}',
    '{"mcpServers":{}}',
    '{"mcpServers":{"b":{},},}',
    '{"mcpServers": {\n  // none yet\n}}',
    '{"mcpServers": {"b": {}} /* end */}',
    '{\n    "a": [1, 2]\n    // end\n}',
    '{"mcpServers": {"planner": null}}',
  ]) {
    const after = withServer(text, entry);
    assert.equal(parseSettings(after)["mcpServers"]?.["planner"], { url: "http://a" }, after);
    assert.equal(commentsOf(after), commentsOf(text), after);
    assert.is(withServer(after, entry), after);
  }
});

test.run();
