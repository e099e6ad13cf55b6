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

/** Settings as people have them, for each client: comments, other servers, keys that we know nothing of. */
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

const started: InstallableServer = { name: "planner", isStarted: true, hasVariables: true };
const reached: InstallableServer = {
  name: "planner",
  isStarted: false,
  hasVariables: false,
  url: "http://127.0.0.1:3000/mcp",
  token: "PLANNER_TOKEN",
};

const folder = await mkdtemp(join(tmpdir(), "mcpwright-clients-"));
test.after(() => rm(folder, { recursive: true, force: true }));

/** A user's folder with the settings of every client, and what an installation there says. */
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
    said(() => installClient(server, join(home, "planner"), args, machine));
  return { home, fileOf, install };
}

async function said(run: () => Promise<number>): Promise<{ status: number; text: string }> {
  const { log, error } = console;
  let text = "";
  console.log = console.error = (line: string) => (text += `${line}\n`);
  try {
    return { status: await run(), text };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** A file of settings as its client reads it. */
function read(text: string): Record<string, Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  assert.equal(errors, [], text);
  return value as Record<string, Record<string, unknown>>;
}

const commentsOf = (text: string): string[] => text.match(/\/\/[ A-Z].*|\/\*.*?\*\//g) ?? [];

for (const name of Object.keys(SETTINGS)) {
  test(`${name}: the server is added, and all else stays`, async () => {
    const { home, fileOf, install } = await newHome();
    const before = SETTINGS[name] ?? "";
    const { status, text } = await install(started, name);
    assert.is(status, 0, text);
    const after = await readFile(fileOf(name), "utf8");
    assert.is(await readFile(`${fileOf(name)}.saved`, "utf8"), before);
    const key = name === "vscode" ? "servers" : "mcpServers";
    const { [key]: servers = {}, ...rest } = read(after);
    const { [key]: formerServers = {}, ...formerRest } = read(before);
    const { planner, ...others } = servers;
    assert.equal({ ...others }, { ...formerServers });
    assert.equal(rest, formerRest);
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
      args: [join(root, "dist/src/main.js"), "--stdio", "--dotenv", join(root, ".env")],
    });
    const again = await install(started, name);
    assert.match(again.text, "has planner already");
    assert.is(await readFile(fileOf(name), "utf8"), after);
  });
}

test("a comment stays with the server that it is about", async () => {
  const { fileOf, install } = await newHome();
  await install(started, "vscode");
  const after = await readFile(fileOf("vscode"), "utf8");
  assert.match(after, /"everything": .*\}, \/\/ production\n/);
  assert.match(after, /"github": \{ \/\/ the hosted one\n/);
});

test("a comment after the last key stays with it, where the servers are new", () => {
  const settings = { key: "servers", name: "planner", settings: {}, inputs: [] };
  assert.match(withServer('{\n  "a": 1 // one\n}', settings), /"a": 1 \/\/ one\n\}$/);
});

test("a server that is reached by a URL has its token from where the client keeps it", async () => {
  const { fileOf, install } = await newHome();
  for (const [name, token] of [
    ["vscode", "${input:planner-token}"],
    ["cursor", "${env:PLANNER_TOKEN}"],
    ["claude-code", "${PLANNER_TOKEN}"],
  ] as const) {
    assert.is((await install(reached, name)).status, 0);
    const settings = read(await readFile(fileOf(name), "utf8"));
    const { planner } = settings[name === "vscode" ? "servers" : "mcpServers"] ?? {};
    assert.equal(planner, {
      ...(name !== "cursor" && { type: "http" }),
      url: reached.url,
      headers: { Authorization: `Bearer ${token}` },
    });
  }
  const { inputs } = read(await readFile(fileOf("vscode"), "utf8"));
  assert.equal(
    (inputs as unknown as { id: string }[]).map(({ id }) => id),
    ["github-token", "planner-token"],
  );
  const desktop = await install(reached, "claude-desktop");
  assert.is(desktop.status, 1);
  assert.match(desktop.text, "Settings → Connectors");
  assert.is(await readFile(fileOf("claude-desktop"), "utf8"), SETTINGS["claude-desktop"]);
});

test("an entry that is there is brought up to date, and what the user added to it stays", async () => {
  const mine = `{"mcpServers": {"planner": {"url": "http://old", "env": {"A": "b"}, /* mine */ "disabled": true}}}`;
  const { fileOf, install } = await newHome({ cursor: mine });
  await install({ ...started, hasVariables: false }, "cursor");
  const after = await readFile(fileOf("cursor"), "utf8");
  const { planner } = read(after)["mcpServers"] as { planner: Record<string, unknown> };
  assert.equal(Object.keys(planner).sort(), ["args", "command", "disabled", "env"]);
  assert.match(after, "/* mine */");
});

test("what is no settings of the client is refused with its place, and stays byte for byte", async () => {
  for (const [broken, place] of [
    ['{"mcpServers": {"a": {"command": "x"}', /:1:\d+: \w+Expected/],
    ['{\n  "mcpServers": {\n    "a" {}\n  }\n}', /:3:9: ColonExpected/],
    ["<<<<<<< HEAD\n{}\n", /:1:1: InvalidSymbol/],
    ["[]", /:1:1: this must be an object/],
    ['{"mcpServers": []}', /:1:16: this must be an object/],
    ['{"a": 1} {"b": 2}', /:1:10: EndOfFileExpected/],
    ['{"mcpServers": {"a": "\u0000', /:1:\d+: /],
  ] as const) {
    const { fileOf, install } = await newHome({ cursor: broken });
    const { status, text } = await install(started, "cursor");
    assert.is(status, 1, broken);
    assert.match(text, place, broken);
    assert.match(text, "Nothing was changed.");
    assert.is(await readFile(fileOf("cursor"), "utf8"), broken);
    assert.equal(await readdir(dirname(fileOf("cursor"))), ["mcp.json"]);
  }
});

test("bytes that are no UTF-8 are refused, a byte-order mark stays", async () => {
  const { fileOf, install } = await newHome({ cursor: "" });
  const latin = Buffer.from('{"a": "\xe9"}', "latin1");
  await writeFile(fileOf("cursor"), latin);
  assert.is((await install(started, "cursor")).status, 1);
  assert.equal(await readFile(fileOf("cursor")), latin);
  await writeFile(fileOf("cursor"), '\uFEFF{"a": 1}');
  assert.is((await install(started, "cursor")).status, 0);
  assert.match(await readFile(fileOf("cursor"), "utf8"), /^\uFEFF\{/);
});

test("a file that is missing or has comments only is begun, for its user alone", async () => {
  const { fileOf, install } = await newHome({ cursor: "// nothing yet" });
  assert.is((await install(started, "cursor")).status, 0);
  assert.match(await readFile(fileOf("cursor"), "utf8"), /^\/\/ nothing yet\n\{/);
  assert.is((await install(started, "vscode")).status, 0);
  assert.ok("planner" in (read(await readFile(fileOf("vscode"), "utf8"))["servers"] ?? {}));
  if (process.platform !== "win32") assert.is((await stat(fileOf("vscode"))).mode & 0o777, 0o600);
});

test("a link to the settings stays a link, and the file keeps its mode", async () => {
  const { home, fileOf, install } = await newHome({ cursor: "" });
  const real = join(home, "dotfiles.json");
  await writeFile(real, "{}");
  await chmod(real, 0o664);
  await rm(fileOf("cursor"));
  await symlink(real, fileOf("cursor"));
  assert.is((await install(started, "cursor")).status, 0);
  assert.ok((await lstat(fileOf("cursor"))).isSymbolicLink());
  assert.match(await readFile(real, "utf8"), "planner");
  assert.is((await stat(real)).mode & 0o777, 0o664);
});

test("a file that its user has made read-only is refused", async () => {
  const { fileOf, install } = await newHome();
  await chmod(fileOf("cursor"), 0o444);
  const { status, text } = await install(started, "cursor");
  assert.is(status, 1);
  assert.match(text, "the file is read-only");
  assert.is(await readFile(fileOf("cursor"), "utf8"), SETTINGS["cursor"]);
  assert.equal(await readdir(dirname(fileOf("cursor"))), ["mcp.json"]);
});

test("a file that another program writes meanwhile is left to it", async () => {
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

test("another file can be named, and wrong names are told", async () => {
  const { home, install } = await newHome({});
  const file = join(home, "project.json");
  assert.is((await install(started, "vscode", "--file", file)).status, 0);
  assert.ok("planner" in (read(await readFile(file, "utf8"))["servers"] ?? {}));
  for (const args of [[], ["emacs"], ["vscode", "cursor"], ["vscode", "--fiel", file]]) {
    const { status, text } = await install(started, ...args);
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

test("edits keep settings readable, however they are laid out", () => {
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
    assert.equal(read(after)["mcpServers"]?.["planner"], { url: "http://a" }, after);
    assert.equal(commentsOf(after), commentsOf(text), after);
    assert.is(withServer(after, entry), after);
  }
});

test.run();
