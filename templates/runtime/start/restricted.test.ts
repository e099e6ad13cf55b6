import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import { hiddenFrom } from "../changes/listen-requests.js";
import { LiveState } from "../changes/live-state.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import type { StatedDefinition } from "../server/server-part.js";
import { groupsOption, parseFlags } from "./command-line.js";
import { askedRestriction, type AskedRestriction } from "./make-server.js";
import { restricted } from "./restricted.js";

const code = erased(() => "done");

const definition: StatedDefinition = {
  ...sampleServer,
  lateParts: [],
  tools: [
    reading("read", ["files", "admin"]),
    tool("write", code, { groups: ["files"], enabled: true }),
    tool("grant", code, { groups: ["admin"], enabled: true }),
    tool("other", code),
  ],
  resources: [{ definition: { uri: "x://a", name: "a" }, text: "a", groups: ["files"] }],
  resourceTemplates: [],
  prompts: [{ definition: { name: "ask" }, messages: [], groups: ["admin"] }],
};

function reading(name: string, groups: readonly string[]) {
  const { definition: stated, ...entry } = tool(name, code, { groups });
  return { ...entry, definition: { ...stated, annotations: { readOnlyHint: true } } };
}

function askedBy(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  settings: ServerDefinition["restrict"] = {},
): AskedRestriction | undefined {
  const { values, readOnly } = parseFlags(args, [groupsOption]);
  return askedRestriction(settings, { readOnly, groups: values["groups"] }, environment);
}

/** The names of what is served with these options and variables. */
function served(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  settings: ServerDefinition["restrict"] = {},
): readonly string[] {
  const asked = askedBy(args, environment, settings);
  const log = createLog({ write: () => undefined });
  const whole = asked === undefined ? definition : restricted(definition, asked, log);
  const { tools, resources, prompts } = whole;
  return [...tools, ...resources, ...prompts].map((item) => item.definition.name);
}

const ALL = ["read", "write", "grant", "other", "a", "ask"];

test("everything is served unless an option or a variable says otherwise", () => {
  assert.equal(served([]), ALL);
  assert.equal(served([], { MCP_READ_ONLY: "" }), ALL);
  for (const no of ["0", "false", "No", "off"]) {
    assert.equal(served([], { MCP_READ_ONLY: no }), ALL);
  }
});

test("of chosen groups, only their items are served", () => {
  assert.equal(served(["--groups", "files"]), ["read", "write", "a"]);
  assert.equal(served([], { MCP_GROUPS: "admin" }), ["read", "grant", "ask"]);
  assert.equal(
    served([], { MCP_GROUPS: " files , admin" }),
    ALL.filter((name) => name !== "other"),
  );
});

test("read only keeps resources, prompts and tools that only read", () => {
  for (const args of [["--read-only"], ["--read-only", "--groups=files,admin"]]) {
    assert.equal(served(args), ["read", "a", "ask"]);
  }
  for (const yes of ["1", "true", "YES", "on"]) {
    assert.equal(served([], { MCP_READ_ONLY: yes }), ["read", "a", "ask"]);
  }
});

test("an option and a variable hold at once, so that none adds what the other leaves out", () => {
  assert.equal(served(["--groups", "files"], { MCP_GROUPS: "admin" }), ["read"]);
  assert.equal(served(["--read-only"], { MCP_READ_ONLY: "0" }), ["read", "a", "ask"]);
});

test("the manifest may name other variables, and its own do not count then", () => {
  const settings = { groups: { env: "PARTS" }, readOnly: { env: "READ" } };
  assert.equal(served([], { PARTS: "files", MCP_READ_ONLY: "1" }, settings), [
    "read",
    "write",
    "a",
  ]);
  assert.equal(served([], { MCP_GROUPS: "files", READ: "1" }, settings), ["read", "a", "ask"]);
});

test("an unknown group, and a value without a meaning, stop the start", () => {
  const stops = (message: string, ...how: Parameters<typeof served>): void =>
    assert.throws(
      () => served(...how),
      (error: Error) => error.name === "SettingError" && error.message === message,
      message,
    );
  const known = "there are files, admin";
  stops(`--groups names the unknown group fles: ${known}`, ["--groups", "files,fles"]);
  stops(`MCP_GROUPS names the unknown group Files: ${known}`, [], { MCP_GROUPS: "Files" });
  for (const [setting, how] of [
    ["--groups", (text: string): Parameters<typeof served> => [["--groups", text]]],
    ["MCP_GROUPS", (text: string): Parameters<typeof served> => [[], { MCP_GROUPS: text }]],
  ] as const) {
    for (const text of ["", " "]) {
      stops(
        `${setting} is empty, and everything is served only without it: ${known}`,
        ...how(text),
      );
    }
    for (const text of ["files,", ",files", "files,,admin", ","]) {
      stops(`${setting} has an empty name beside a comma: ${known}`, ...how(text));
    }
  }
  stops("MCP_READ_ONLY must be 1 or 0, true or false", [], { MCP_READ_ONLY: "maybe" });
});

test("switches of items that are off change nothing for clients, and fail no handler", () => {
  const asked = askedBy(["--groups", "files"]);
  if (asked === undefined) throw new Error("nothing was asked");
  const log = createLog({ write: () => undefined });
  const { lateParts: _parts, ...part } = restricted(definition, asked, log);
  const state = new LiveState(part as ServerDefinition);
  const events: string[] = [];
  state.events.subscribe(({ kind }) => void events.push(kind));
  state.tools.disable("grant");
  state.tools.enable("grant");
  assert.equal(events, []);
  state.tools.disable("write");
  assert.equal(events, ["tools_list_changed"]);
  assert.is(state.prompts.canChange, false);
});

test("clients are not notified of changes of items that the start leaves out", () => {
  const read = {
    parameters: [],
    answer: () => ({}),
    itemOf: ({ uri }: { uri?: unknown }) => items(uri),
  };
  const items = (uri: unknown) => (uri === "x://on" ? { definition: { name: "on" } } : undefined);
  const engine = {
    definition: { ...sampleServer, whole: {} },
    methods: new Map([["resources/read", read]]),
  };
  const { isHidden } = hiddenFrom(engine, {});
  assert.equal(
    ["x://on", "x://off"].map((uri) => isHidden?.(uri)),
    [false, true],
  );
});

test.run();
