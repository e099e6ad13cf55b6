import { STARTING_BODIES } from "../bodies/index.js";
import { eitherOf } from "../model/catalogue/message-parts.js";

/** The commands and options of the command line. The parser and `--help` both use this table. */

export interface OptionSpecification {
  /** What the value must be, for messages. Absent for an option without a value. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly short?: string;
  /** True if the value is valid. Absent if every value is. */
  readonly accepts?: (value: string) => boolean;
  readonly help: string;
}

const isCount = (value: string): boolean => /^[1-9][0-9]{0,6}$/.test(value);
const isOneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

/** Parses the transports of `init`, such as `stdio,http`. `undefined` if the text is not such a list. */
export function transportsOf(text: string): ReadonlySet<string> | undefined {
  const types = text.split(",").map((type) => type.trim());
  const isGood = types.every((type) => type === "stdio" || type === "http");
  return isGood && new Set(types).size === types.length ? new Set(types) : undefined;
}

const STARTERS = ["minimal", "full", ...STARTING_BODIES];
const STARTERS_IN_WORDS = eitherOf(STARTERS);

const optionTable = {
  out: {
    value: "a folder",
    placeholder: "DIR",
    short: "o",
    help: "the project's folder (default: the manifest's)",
  },
  "overwrite-edited": {
    help: "replace edited generated files, after saving a copy beside each",
  },
  plan: {
    value: "the name of a plan, as in plan --json",
    placeholder: "NAME",
    help: "carry out this plan only, as `plan --json` names it; write nothing if it is another one by now",
  },
  "no-cache": { help: "make every file anew, whatever former runs have left in node_modules" },
  adopt: { help: "rebuild a lost or damaged lock; files that differ are yours" },
  format: {
    value: "text, github or sarif",
    placeholder: "FORMAT",
    accepts: isOneOf("text", "github", "sarif"),
    help: "how to show problems: text, github (annotations) or sarif (2.1.0)",
  },
  diff: { help: "also show the text of each file before and after" },
  since: {
    value: "git:REV, a revision of the manifest",
    placeholder: "git:REV",
    accepts: (text) => /^git:[^-:]/.test(text),
    help: "compare with that revision's manifest, not with the last generation's",
  },
  "fail-on": {
    value: "breaking or warning",
    placeholder: "SEVERITY",
    accepts: isOneOf("breaking", "warning"),
    help: "end with 2 when there is such a change, or a graver one",
  },
  strict: { help: "warnings are errors" },
  "max-diagnostics": {
    value: "a number from 1",
    placeholder: "N",
    accepts: isCount,
    help: "how many problems to show (20; sarif 1000)",
  },
  "max-changes": {
    value: "a number from 1",
    placeholder: "N",
    accepts: isCount,
    help: "with --json, how many changes to list (all), those first that a person must look at",
  },
  name: { value: "a package name", placeholder: "NAME", help: "the server's name" },
  template: {
    value: STARTERS_IN_WORDS,
    placeholder: "KIND",
    accepts: isOneOf(...STARTERS),
    help: `what the starter manifest shows: ${STARTERS_IN_WORDS}`,
  },
  transport: {
    value: "stdio, http or both with a comma between them",
    placeholder: "TYPES",
    accepts: (text) => transportsOf(text) !== undefined,
    help: "how clients reach the server: stdio, http, or stdio,http",
  },
  tool: {
    value: "a name",
    placeholder: "NAME",
    help: "the first tool of the minimal starter manifest",
  },
  tag: { value: "a tag", placeholder: "TAG", help: "import operations with this tag" },
  path: {
    value: "a path or a glob",
    placeholder: "GLOB",
    help: "import operations whose path fits; * is part of a segment, ** any number of segments",
  },
  method: { value: "a method", placeholder: "NAME", help: "import operations with this method" },
  operation: {
    value: "an operationId, or a method and a path",
    placeholder: "ID",
    help: "import this operation, also where it is deprecated",
  },
  exclude: {
    value: "an operationId, or a method and a path",
    placeholder: "ID",
    help: "leave this operation out",
  },
  url: { value: "a URL", placeholder: "URL", help: "import from the server at this address" },
  header: {
    value: "a name, a colon and a value",
    placeholder: "LINE",
    accepts: (text) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text),
    help: "send this header to the server, as in 'Authorization: Bearer …'",
  },
  root: {
    value: "a folder",
    placeholder: "DIR",
    help: "the folder of the manifests, outside of which nothing is read (default: this one)",
  },
  port: {
    value: "a number up to 65535",
    placeholder: "N",
    accepts: (text) => isCount(text) && Number(text) <= 65_535,
    help: "the port of the page (default: a free one)",
  },
  proxy: { help: "pass the calls of all items on to the server that they are imported from" },
  list: { help: "show the operations and what became of each; write nothing" },
  prune: {
    help: "take out tools whose operations are gone, and imported schemas that nothing uses",
  },
  "no-output": { help: "do not describe what tools answer" },
  yes: { help: "write without asking" },
  replay: { help: "answer a client on stdin and stdout from the examples of the manifest" },
  "dry-run": { help: "show what would be written; write nothing" },
  "only-manifest": { help: "write the manifest, and make no project from it yet" },
  fix: { help: "first apply the fixes that are certain to the manifest" },
  agents: {
    help: "add the server to the project's settings of coding agents: Claude Code, VS Code, Cursor",
  },
  "no-install": { help: "make the project without installing its packages" },
  json: { help: "print one JSON document on stdout and nothing else" },
  quiet: { help: "print problems only" },
  "no-color": { help: "print without colours (also NO_COLOR)" },
  chdir: {
    value: "a folder",
    placeholder: "DIR",
    short: "C",
    help: "run as if started in that folder",
  },
  help: { short: "h", help: "show this" },
  version: { help: "print the version" },
} as const satisfies Record<string, OptionSpecification>;

export type OptionName = keyof typeof optionTable;
export const options: Readonly<Record<OptionName, OptionSpecification>> = optionTable;

export interface CommandSpecification {
  readonly summary: string;
  readonly usage: string;
  readonly maxArguments: number;
  /** How many arguments the command takes, for messages: "at most one manifest". */
  readonly argumentsText: string;
  readonly options: readonly OptionName[];
  /** What the arguments after `--` are, if the command passes them on to another program. */
  readonly passesOn?: string;
  /** Help for options that have another meaning for this command. */
  readonly optionHelp?: Partial<Record<OptionName, string>>;
  /** Text that `--help` shows after the options. */
  readonly details?: string;
}

const common = [
  "strict",
  "max-diagnostics",
  "json",
  "quiet",
  "no-color",
  "chdir",
  "help",
  "version",
] as const;
const oneManifest = { maxArguments: 1, argumentsText: "at most one manifest" } as const;

const commandTable = {
  init: {
    summary: "make a new project: a commented manifest, all that follows from it, and its packages",
    usage: "init [dir]",
    maxArguments: 1,
    argumentsText: "at most one folder",
    options: [
      "name",
      "template",
      "transport",
      "tool",
      "agents",
      "no-install",
      "only-manifest",
      ...common,
    ],
  },
  validate: {
    summary: "report every problem of a manifest; write nothing",
    usage: "validate [manifest]",
    ...oneManifest,
    options: ["format", "fix", "dry-run", ...common],
    optionHelp: { "dry-run": "show what --fix would change; write nothing" },
    details: `A fix is applied where only one is possible: misspelt keys and values, wrong case, missing quotes, numbers as
texts, what stands twice. Comments and layout stay. Problems in --json and sarif have their fixes as edits.`,
  },
  generate: {
    summary: "make or update the project",
    usage: "generate [manifest]",
    ...oneManifest,
    options: [
      ...["out", "plan", "fix", "dry-run", "overwrite-edited", "adopt", "no-cache"],
      ...["max-changes", ...common],
    ],
    optionHelp: { "dry-run": "show what --fix would change; write nothing" },
  },
  plan: {
    summary: "show what generate would do; write nothing",
    usage: "plan [manifest]",
    ...oneManifest,
    options: ["out", "diff", "since", "max-changes", ...common],
  },
  check: {
    summary: "for CI: silent, and status 0 when generate would write nothing",
    usage: "check [manifest]",
    ...oneManifest,
    options: ["out", ...common],
  },
  diff: {
    summary: "what callers see change between two manifests, files, git:REV[:path] or a server",
    usage: "diff OLD NEW",
    maxArguments: 2,
    argumentsText: "two manifests",
    options: ["fail-on", "header", ...common],
    passesOn: "COMMAND",
    details: `In the place of a manifest, a URL is a living server: \`mcpwright diff mcp.yaml URL\` tells how what it
lists differs from the manifest, \`mcpwright diff mcp.yaml -- COMMAND\` starts one, asks it and ends it.
Only what lists show is compared then.`,
  },
  dev: {
    summary: "watch manifest and handlers: generate, type-check, restart the server",
    usage: "dev [manifest]",
    ...oneManifest,
    options: ["out", "no-cache", ...common],
    passesOn: "server options",
    optionHelp: { json: "print one JSON document a line on stderr" },
    details: `The server is run from source, over HTTP where the manifest has it, else over stdio, else over its first
transport, for as long as the manifest is valid and the project type-checks; otherwise the last good one
goes on. What stands behind \`--\` goes to the server: \`mcpwright dev -- --http --port 4000\`, \`mcpwright dev -- --mock\`.
stdout belongs to the server: dev itself speaks on stderr.`,
  },
  preview: {
    summary: "show the page of a manifest in a browser, before there is a project",
    usage: "preview [manifest]",
    ...oneManifest,
    options: ["port", ...common.filter((name) => name !== "json")],
    details: `The page shows what the server would offer, and calls are answered as its \`--mock\` would answer them. It is
served on this machine only, follows the manifest as it is saved, and shows its problems beside the items.`,
  },
  import: {
    summary:
      "write a manifest of what exists, an OpenAPI document or a living server, or update one",
    usage: "import [KIND] [SPEC]",
    maxArguments: 2,
    argumentsText: '"openapi" and a document, or "server"',
    options: [
      "out",
      "tag",
      "path",
      "method",
      "operation",
      "exclude",
      "list",
      "prune",
      "no-output",
      "url",
      "header",
      "proxy",
      "dry-run",
      ...common,
    ],
    passesOn: "COMMAND",
    optionHelp: { out: "the manifest to write or to update (default: mcp.yaml)" },
    details: `mcpwright import openapi SPEC
mcpwright import                                  all documents again that the manifest names
mcpwright import --list                           what they have, and what became of each operation
mcpwright import server [--proxy] --url URL
mcpwright import server [--proxy] -- COMMAND

OpenAPI 2.0, 3.0 and 3.1, in JSON or YAML, in one file or in several that lie in its folder and below.
Options that choose operations may be given more than once or hold a list with commas. --operation adds
to what --tag, --path and --method choose together; --exclude takes away. Operations that
are deprecated, or hidden by \`x-mcp: false\`, come only where they are named. Where nothing is chosen and
there are more than 40, a terminal asks for tags. What cannot be carried over is reported, with its place
in the document.

Where the manifest was imported before, each field is merged: what only the document has changed is taken,
what you have changed or deleted stays, and where both have changed a field, yours stays, both are shown
and the status is 3. Operations that are new come in when an option chooses them, or \`select:\` does, which
you write beside the document's path under \`x-imports\`. What was last imported is in
mcpwright.import.lock.json; commit it.

A server is asked for its tools, resources, templates and prompts: the one at a URL, with headers, or
the program behind \`--\`, which is started with your environment and ended again. Its items become
handlers to write, or, with --proxy, items whose calls are passed on to that server: rename them, narrow
what they take, and say more of them.`,
  },
  mcp: {
    summary: "serve over stdio what an agent needs to write manifests: check, plan, look up",
    usage: "mcp",
    maxArguments: 0,
    argumentsText: "no arguments",
    options: ["root", ...common.filter((name) => name !== "json")],
    details: `Add it to the settings of an agent's client as the command of an MCP server, such as
\`npx mcpwright mcp --root .\`. It reads and writes nothing outside of its folder, neither by \`..\` nor through links,
and makes no requests. The roots of a client are not read: --root alone names the folder. Only its tool \`generate\`
writes: the plan that was shown, after its user has agreed.`,
  },
  split: {
    summary: "move the sections of a manifest to files that it includes",
    usage: "split [manifest]",
    ...oneManifest,
    options: ["out", "dry-run", ...common],
    optionHelp: { out: "the folder of the new files (default: the manifest's)" },
    details: `tools, resources, resourceTemplates, prompts, schemas, upstreams, databases and env each get a file, with all
comments. What the manifest means stays the same, and so does the project.`,
  },
  record: {
    summary: "pass on what client and server say, and write calls as examples of the manifest",
    usage: "record [manifest]",
    ...oneManifest,
    options: ["url", "header", "port", "yes", "dry-run", "replay", ...common],
    passesOn: "COMMAND",
    optionHelp: {
      "dry-run": "show the examples; write nothing",
      url: "pass on to the server at this address",
      port: "the port on this machine at which clients reach it (default: a free one)",
    },
    details: `mcpwright record -- COMMAND    in the settings of a client, as the command of the server: starts COMMAND, passes
                               all messages on, and keeps the calls of tools in mcpwright.recording.json
mcpwright record --url URL     listens on this machine instead, and passes on to that server; Ctrl-C ends it
mcpwright record               shows what becomes of them, and writes it into the manifest when you agree
mcpwright record --replay      stands in for the server: a call with the arguments of an example gets its answer,
                               and every other call an error

Secrets never reach the disk: values of secret variables, of writeOnly and password properties, and of keys that
are named like secrets are masked wherever they occur. Of each tool a few calls become examples, shortened; times,
ids and other values that change get matches. Headers are never kept; --header adds one with credentials. With --yes, the examples are written when the server ends.`,
  },
  explain: {
    summary: "the long form of a diagnostic or a rule: cause, example, fix",
    usage: "explain CODE",
    maxArguments: 1,
    argumentsText: "one code, or auth",
    options: [...common],
    details: `mcpwright explain MW2101   the long form of a diagnostic
mcpwright explain auth     \`auth\` of mcp.yaml, with all that the presets of providers fill in`,
  },
  reference: {
    summary: "the fields of the manifest that words are about, with their types and defaults",
    usage: "reference [WORDS]",
    maxArguments: 32,
    argumentsText: "at most 32 words",
    options: [...common],
    details: `mcpwright reference             the kinds of mappings that a manifest has
mcpwright reference tool        all fields of one kind
mcpwright reference confirm     each field of that name, or \`tool.confirm\`
mcpwright reference retry upstream    fields that are about these words, the best first`,
  },
} as const satisfies Record<string, CommandSpecification>;

export type CommandName = keyof typeof commandTable;
export const commands: Readonly<Record<CommandName, CommandSpecification>> = commandTable;
