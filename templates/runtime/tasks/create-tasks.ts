import type { Caller } from "../context/context.js";
import { after } from "../engine/awaitable.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Feature, Method } from "../engine/feature.js";
import { limitInWords } from "../engine/limits.js";
import type { CreateFacility } from "../server/create-server.js";
import type { Facility, FacilityServer } from "../server/facility.js";
import { createLog } from "../observe/log.js";
import { TASKS_EXTENSION } from "./definition.js";
import { followOnConnection } from "./follow-connection.js";
import { TaskStreams } from "./follow-stream.js";
import { TaskFollowers } from "./followers.js";
import { taskListening } from "./listen-request.js";
import { MemoryTaskStore } from "./memory-store.js";
import { detailedTask } from "./record.js";
import type { TaskStore } from "./store.js";
import { Tasks } from "./tasks.js";

/** Makes the facility that runs calls as tasks. */
export const createTasks: CreateFacility = (definition, options, limits) => {
  const { log = createLog() } = options;
  let server: FacilityServer | undefined;
  const exceed = (
    limit: "tasks" | "concurrency",
    sender: { readonly address?: string | undefined; readonly principal?: string | undefined },
  ): string => server?.refusals.exceed({ limit, ...sender }) ?? limitInWords(limits, limit);
  const store: TaskStore =
    options.taskStore ?? new MemoryTaskStore({ most: limits.tasks, now: Date.now });
  store.exceed = (holder) => exceed("tasks", { address: holder });
  const tasks = new Tasks({
    store,
    definition,
    log,
    // Calls without a task go on.
    mostRunning: Math.max(1, Math.floor(limits.concurrency / 2)),
    busy: ({ address, authentication }) =>
      exceed("concurrency", { address, principal: authentication?.principal }),
    now: Date.now,
  });
  const followers = new TaskFollowers(store, tasks);
  const streams = new TaskStreams(followers);
  store.changed = (record) => followers.changed(record);
  store.followed = (id) => {
    tasks.follow(id);
    followers.look(id);
  };
  return {
    ...onConnections(followers, definition),
    wrapFetch: (fetch) => async (request, exchange) => {
      const { parsedBody, authentication } = exchange;
      const answer = await fetch(request, exchange);
      const listening = taskListening(parsedBody);
      return listening === undefined
        ? answer
        : streams.follow(listening, { authentication }, answer);
    },
    shared: { tasks: { begin: tasks.begin.bind(tasks), feature: featureOf(tasks) } },
    wrapMethods: (methods) => tasks.wrap(methods),
    join: (joined) => {
      server = joined;
      return { recordsAddresses: true };
    },
    measure: (metrics) => {
      metrics.gauge(
        "mcp_server_tasks_running",
        "Handlers that run for tasks.",
        () => tasks.running,
      );
      const help = "Tasks that are not over: they run, or wait for answers.";
      metrics.gauge("mcp_server_tasks_unfinished", help, () => store.unfinished);
    },
    close: async () => {
      streams.close();
      followers.close();
      await tasks.close();
    },
  };
};

/** What lets the clients of connections follow tasks. */
function onConnections(
  followers: TaskFollowers,
  { senderOf }: Pick<ServerDefinition, "senderOf">,
): Pick<Facility, "attachTransport" | "completeRequest"> {
  return {
    attachTransport: (transport) => {
      let caller: Partial<Caller> = {};
      followOnConnection(transport, followers, () => caller);
      return { opened: (opener) => void (caller = opener) };
    },
    completeRequest: (request) => {
      request.opened?.((request.authInfo && senderOf?.(request.authInfo)) ?? {});
      return request;
    },
  };
}

/** The methods of tasks, which clients of 2026-07-28 have. */
function featureOf(tasks: Tasks): Feature {
  const method = (parameters: readonly string[], answer: Method["answer"]): Method => ({
    parameters: ["taskId", ...parameters],
    answer,
    itemOf: (sent, caller) => tasks.toolOf(sent, caller),
  });
  return {
    capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    isModern: true,
    methods: {
      "tasks/get": method([], (parameters, caller) =>
        after(tasks.get(parameters, caller), (record) =>
          after(caller.memory?.take(record.result), () => detailedTask(record)),
        ),
      ),
      "tasks/update": method(["inputResponses"], (parameters, caller) =>
        tasks.update(parameters, caller),
      ),
      "tasks/cancel": method([], (parameters, caller) => tasks.cancel(parameters, caller)),
    },
  };
}
