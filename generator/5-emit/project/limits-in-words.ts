import { withThousands } from "../../text/thousands.js";
import type { LimitName } from "../../../templates/runtime/engine/limits.js";
import { hasNetwork } from "../../model/authentication.js";
import { limitNames } from "../../../templates/runtime/engine/limits.js";
import { usualLimit, variableOfLimit } from "../../model/limits.js";
import type { ServerModel } from "../../model/server-model.js";
import { networkKinds } from "../../model/transports.js";
import { hasTasks } from "../model-facts.js";

/** What each limit means to callers. @param value the limit, with its thousands set apart */
const SENTENCES: Readonly<Record<LimitName, (value: string) => string>> = {
  bodyBytes: (value) => `A message from a client has at most ${value} bytes`,
  depth: (value) => `Arguments of a tool are nested at most ${value} levels deep`,
  elements: (value) => `Arguments of a tool have at most ${value} items and members`,
  uriLength: (value) => `A URI has at most ${value} characters`,
  timeoutMs: (value) => `A call that takes longer than ${value} ms fails`,
  concurrency: (value) => `At most ${value} calls run at the same time`,
  ratePerSecond: (value) => `A client sends at most ${value} requests a second over the network`,
  headersTimeoutMs: (value) => `The headers of a request arrive within ${value} ms`,
  bodyTimeoutMs: (value) => `The body of a request arrives within ${value} ms after its headers`,
  connections: (value) => `At most ${value} connections are open at a time`,
  tasks: (value) => `A caller has at most ${value} tasks that are not over`,
  sessions: (value) => `At most ${value} sessions are open at a time`,
  sessionIdleMs: (value) => `A session that is not used for ${value} ms ends`,
  subscriptions: (value) => `At most ${value} subscriptions are open at a time`,
};

/** The limits that hold for the callers of a server, as lines of Markdown. */
export function limitsInWords(model: ServerModel): string[] {
  const { limits = {}, env, pageSize } = model;
  const lines = limitNames
    .filter((name) => applies(name, model))
    .map((name) => {
      const set = limits[name];
      const variable = variableOfLimit(set);
      const value = usualLimit(
        name,
        set,
        (wanted) => env.find((one) => one.name === wanted)?.default,
      );
      const source =
        variable === undefined
          ? `\`limits.${name}\`${set === undefined ? ", by default" : ""}`
          : `\`limits.${name}\`, unless \`${variable}\` sets another value`;
      return `${SENTENCES[name](withThousands(value))} (${source}).`;
    });
  if (pageSize === undefined) return lines;
  return [
    ...lines,
    `A page of a list has at most ${withThousands(pageSize)} items (\`pageSize\`).`,
  ];
}

/** Whether something of the server can exceed a limit. */
function applies(name: LimitName, model: ServerModel): boolean {
  const { transports, tools, resources, resourceTemplates } = model;
  const keepsSessions = transports.some(
    (transport) => transport.type === "http" && transport.sessions === "memory",
  );
  switch (name) {
    case "bodyBytes":
    case "timeoutMs":
    case "concurrency":
      return true;
    case "depth":
    case "elements":
      return tools.length > 0;
    case "uriLength":
      return resources.length + resourceTemplates.length > 0;
    case "subscriptions":
      return [...resources, ...resourceTemplates].some(({ subscribe }) => subscribe);
    case "tasks":
      return hasTasks(model);
    case "sessions":
      return keepsSessions || networkKinds(model).some(({ keepsClients }) => keepsClients);
    case "sessionIdleMs":
      return keepsSessions;
    case "ratePerSecond":
    case "connections":
    case "headersTimeoutMs":
    case "bodyTimeoutMs":
      return hasNetwork(model);
  }
}
