import { defineRule } from "../../model/semantic-rule.js";

/** Rules about the features that the server needs from clients, about limits, sessions and paths for monitoring. */

export const clientFeatureNewlyUsed = defineRule<{ feature: string }>({
  id: "client-feature-newly-used",
  severity: "warning",
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
  message: ({ name, before, after, variable }) =>
    `${name} was ${before}, is ${after}${variable === undefined ? "" : ` unless ${variable} is set`}`,
});

export const limitVariableRemoved = defineRule<{ name: string; variable: string }>({
  id: "limit-variable-removed",
  severity: "warning",
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
  message: ({ type, before, after }) => `the sessions of ${type} were ${before}, are ${after}`,
});

export const transportResumptionRemoved = defineRule<{ type: string }>({
  id: "transport-resumption-removed",
  severity: "warning",
  message: ({ type }) => `broken streams of ${type} cannot be taken up again any more`,
});

export const monitoringPathChanged = defineRule<Settings & { readonly setting: string }>({
  id: "monitoring-path-changed",
  severity: "warning",
  message: ({ type, setting, before, after }) =>
    `the ${setting} path of ${type} was ${before}, is ${after}`,
});
