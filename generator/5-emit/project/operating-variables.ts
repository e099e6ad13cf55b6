import { itemsOf } from "../../model/items.js";
import { hasNetwork } from "../../model/authentication.js";
import type { ServerModel } from "../../model/server-model.js";
import { servesByWorkers } from "../model-facts.js";

/** An environment variable that the runtime reads, independently of the manifest. */
export interface OperatingVariable {
  readonly name: string;
  /** Its description, as Markdown. */
  readonly words: string;
}

const logLevel: OperatingVariable = {
  name: "LOG_LEVEL",
  words:
    "What is logged: `debug`, `info` (the default), `warning` or `error`. From `warning` on, requests are left out.",
};

const address: readonly OperatingVariable[] = [
  { name: "HOST", words: "Address to listen on, as `--host`." },
  { name: "PORT", words: "Port to listen on, as `--port`; `0` picks a free one." },
];

const workers: OperatingVariable = {
  name: "WEB_CONCURRENCY",
  words: "Number of processes that serve HTTP together, or `auto`, as `--workers`.",
};

const fastPath: OperatingVariable = {
  name: "MCP_FAST_PATH",
  words:
    "`off` sends every request through the official SDK. Otherwise plain ones are answered without it, with the same answers, in less time.",
};

/** The variables that restrict the server to some of its items. */
function restrictions({ restrict, ...model }: ServerModel): OperatingVariable[] {
  const { groups, readOnly } = restrict ?? {};
  const names = [...new Set(itemsOf(model).flatMap((item) => item.groups ?? []))];
  const { env: groupsVariable = "MCP_GROUPS" } = groups ?? {};
  const { env: readOnlyVariable = "MCP_READ_ONLY" } = readOnly ?? {};
  return [
    ...(names.length === 0
      ? []
      : [
          {
            name: groupsVariable,
            words: `Groups to serve, with commas between them, as \`--groups\`: ${names.map((name) => `\`${name}\``).join(", ")}. Items of no chosen group do not exist then.`,
          },
        ]),
    {
      name: readOnlyVariable,
      words:
        "`1` serves only what changes nothing, as `--read-only`: resources, prompts, and tools that only read.",
    },
  ];
}

/** The variables that operators of the server can set. A variable that the manifest declares is left out. */
export function operatingVariables(model: ServerModel): OperatingVariable[] {
  const types = new Set<string>(model.transports.map(({ type }) => type));
  const declared = new Set(model.env.map(({ name }) => name));
  return [
    logLevel,
    ...(hasNetwork(model) ? address : []),
    ...(servesByWorkers(model) ? [workers] : []),
    ...restrictions(model),
    ...(types.has("stdio") || types.has("http") ? [fastPath] : []),
  ].filter(({ name }) => !declared.has(name));
}
