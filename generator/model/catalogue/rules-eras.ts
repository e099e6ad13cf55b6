import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

/** Rules about features that some eras of the protocol, or the clients that speak them, do not have. */

export const needsSessions = defineDiagnostic<{ found: number; named: readonly string[] }>({
  code: "MW2315",
  severity: "warning",
  title: "no session to ask or tell older clients in",
  explanation: {
    cause:
      "Handlers that ask (`elicitations`, `uses`), and changes that clients are told of (`subscribe`, `list`, `enabled`, where the project has code that can tell them), need a way from the server to its client. Clients before 2026-07-28 have one over HTTP only within a session. The server answers these clients, and the transport `http` has no sessions: their calls fail where a handler asks, and they hear of no change. Their `notifications/cancelled` cannot reach the call either, since it comes on another connection; a client that hangs up ends its call.",
    example:
      "transports: [{type: http}]\nresources: [{uri: weather://alerts, name: alerts, description: x, subscribe: true}]",
    fix: "One of three: give older clients sessions with `sessions: memory` on the transport, which must then reach the same process each time; turn them away with `protocol: {legacy: reject}`; or accept it, let handlers look at `ctx.can` before they ask, and switch this warning off with `diagnostics: {MW2315: off}`.",
  },
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
  title: "deprecated client feature",
  explanation: {
    cause:
      "Protocol revision 2026-07-28 deprecates sampling and roots (SEP-2577): clients need not offer them any more, and a later revision may remove them.",
    example: "tools: [{name: a, description: x, uses: [sampling]}]",
    fix: "For sampling, call a model's API from the handler. For roots, take folders as arguments or from `env`. While your clients offer the feature, go on and switch this warning off.",
  },
  message: ({ feature }) => `${feature} is deprecated since protocol revision 2026-07-28`,
  hint: ({ feature }) => `${INSTEAD[feature]}; meanwhile handlers can look at \`ctx.can\` first`,
});
