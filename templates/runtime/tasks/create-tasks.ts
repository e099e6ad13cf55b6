import { after } from "../engine/awaitable.js";
import type { Feature, Method } from "../engine/feature.js";
import { limitInWords } from "../engine/limits.js";
import type { CreateFacility } from "../server/create-server.js";
import type { FacilityServer } from "../server/facility.js";
import { createLog } from "../observe/log.js";
import { TASKS_EXTENSION } from "./definition.js";
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
  store.followed = (id) => tasks.follow(id);
  return {
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
    close: () => tasks.close(),
  };
};

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
