import { defineRule } from "../rule.js";

/** Rules about the features that the server needs from clients, about limits, sessions and paths for monitoring. */

export const clientFeatureNewlyUsed = defineRule<{ feature: string }>({
  id: "client-feature-newly-used",
  severity: "warning",
  title: "an item asks more of its clients",
  explanation: {
    cause:
      "The handler may use a feature of clients that it did not use before. Clients without it get an error where the handler does not ask `ctx.can` first.",
    example: {
      before: "tools: [{name: a, description: Does a.}]",
      after: "tools: [{name: a, description: Does a., uses: [sampling]}]",
    },
    fix: "Let the handler do without it where `ctx.can` says that the client lacks it.",
  },
  message: ({ feature }) => `may use ${feature} now, which not every client offers`,
});

interface Limit {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** The variable that may set another value. */
  readonly variable?: string;
}

export const limitLowered = defineRule<Limit>({
  id: "limit-lowered",
  severity: "warning",
  title: "the server takes less than before",
  explanation: {
    cause: "A limit is lower: requests that were within it may be refused, or cut off.",
    example: { before: "limits: {timeoutMs: 60000}", after: "limits: {timeoutMs: 5000}" },
    fix: "Check that no caller comes near the new limit.",
  },
  message: ({ name, before, after, variable }) =>
    `${name} was ${before}, is ${after}${variable === undefined ? "" : ` unless ${variable} is set`}`,
});

export const limitVariableRemoved = defineRule<{ name: string; variable: string }>({
  id: "limit-variable-removed",
  severity: "warning",
  title: "a variable does not set its limit any more",
  explanation: {
    cause:
      "Who runs the server and sets the variable gets another limit than the one that it names.",
    example: {
      before: "env: {RATE: {type: number}}\nlimits: {ratePerSecond: {env: RATE}}",
      after: "env: {RATE: {type: number}}\nlimits: {ratePerSecond: 1000}",
    },
    fix: "Tell those who run the server what sets the limit now.",
  },
  message: ({ name, variable }) => `${variable} does not set ${name} any more`,
});

interface Settings {
  readonly type: string;
  readonly before: string;
  readonly after: string;
}

export const transportSessionsChanged = defineRule<Settings>({
  id: "transport-sessions-changed",
  severity: "warning",
  title: "older clients have sessions, or have none any more",
  explanation: {
    cause:
      "With sessions, clients of the older revisions must open one and name it in each request. Without, they have no stream on which the server can ask them something.",
    example: {
      before: "transports: [{type: http, sessions: memory}]",
      after: "transports: [{type: http}]",
    },
    fix: "Check that it is meant.",
  },
  message: ({ type, before, after }) => `the sessions of ${type} were ${before}, are ${after}`,
});

export const transportResumptionRemoved = defineRule<{ type: string }>({
  id: "transport-resumption-removed",
  severity: "warning",
  title: "a broken stream cannot be taken up again",
  explanation: {
    cause: "What is sent while a client is away is lost to it.",
    example: {
      before: "transports: [{type: http, sessions: memory, resumable: true}]",
      after: "transports: [{type: http, sessions: memory}]",
    },
    fix: "Check that it is meant.",
  },
  message: ({ type }) => `broken streams of ${type} cannot be taken up again any more`,
});

export const monitoringPathChanged = defineRule<Settings & { readonly setting: string }>({
  id: "monitoring-path-changed",
  severity: "warning",
  title: "the health check or the metrics are elsewhere",
  explanation: {
    cause: "Whoever watches the server asks under the old path.",
    example: {
      before: "transports: [{type: http}]",
      after: "transports: [{type: http, health: /health}]",
    },
    fix: "Change the probes and dashboards with it, or keep the path.",
  },
  message: ({ type, setting, before, after }) =>
    `the ${setting} path of ${type} was ${before}, is ${after}`,
});
