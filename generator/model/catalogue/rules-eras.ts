import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

/** Rules about features that some eras of the protocol, or the clients that speak them, do not have. */

export const needsSessions = defineDiagnostic<{ found: number; named: readonly string[] }>({
  code: "MW2315",
  severity: "warning",
  message: ({ found, named }) =>
    `http has no sessions, so that clients before 2026-07-28 cannot be asked and hear of no change: ${namesAndMore(named, found)}`,
  hint: () =>
    "set `sessions: memory`, or `protocol: {legacy: reject}`; or let handlers look at `ctx.can` first and switch MW2315 off",
});

const INSTEAD = {
  sampling: "call a model's API from the handler",
  roots: "take folders as arguments, or from `env`",
} as const;

export const deprecatedUse = defineDiagnostic<{ feature: keyof typeof INSTEAD }>({
  code: "MW2316",
  severity: "warning",
  message: ({ feature }) => `${feature} is deprecated since protocol revision 2026-07-28`,
  hint: ({ feature }) => `${INSTEAD[feature]}; meanwhile handlers can look at \`ctx.can\` first`,
});
