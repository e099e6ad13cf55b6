import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about servers of several processes. */

const SCALED = "env: {REDIS_URL: {secret: true}}\ntransports: [{type: http, trustProxy: 1}]\n";

export const nothingToShare = defineDiagnostic<{ what: string }>({
  code: "MW2180",
  severity: "warning",
  title: "nothing to share",
  explanation: {
    cause:
      "`scale.share` names what the manifest has no use for: `events` need `subscribe` or `list` of a resource, `switches` need `enabled` of an item.",
    example: `${SCALED}scale: {redis: {env: REDIS_URL}, share: [switches, rates]}`,
    fix: "Remove it from `share`, or leave `share` out: then all is shared that there is a use for.",
  },
  message: ({ what }) => `there are no ${what} to share`,
});

export const scaleWithoutNetwork = defineDiagnostic({
  code: "MW2181",
  severity: "warning",
  title: "scale for nobody",
  explanation: {
    cause:
      "Processes of one server share what clients of all may notice, and the server has no transport over the network.",
    example: "env: {REDIS_URL: {secret: true}}\nscale: {redis: {env: REDIS_URL}}",
    fix: "Add a transport such as `http`, or remove `scale`.",
  },
  message: () => "scale has no effect without a transport over the network",
});

export const sessionsOfOneProcess = defineDiagnostic({
  code: "MW2182",
  severity: "warning",
  title: "sessions stay in one process",
  explanation: {
    cause:
      "With `sessions: memory` a session lives in the process that opened it, and `scale` means that there are several. A process that does not know a session answers 404, at which the client starts anew.",
    example:
      "env: {REDIS_URL: {secret: true}}\ntransports: [{type: http, trustProxy: 1, sessions: memory}]\nscale: {redis: {env: REDIS_URL}}",
    fix: "Let the load balancer send requests with the same `Mcp-Session-Id` to the same process, or write `sessions: none` where no client of the older eras needs a session.",
  },
  message: () =>
    "a session lives in one process: the load balancer must send requests with the same Mcp-Session-Id there",
});

export const balancerTakenForClient = defineDiagnostic({
  code: "MW2183",
  severity: "warning",
  title: "the load balancer is taken for the client",
  explanation: {
    cause:
      "`scale` means that a load balancer is in front of several processes. Without `trustProxy` its address is that of every request, so that all clients together have the budget of one: `limits.ratePerSecond`, for all processes.",
    example:
      "env: {REDIS_URL: {secret: true}}\ntransports: [{type: http}]\nscale: {redis: {env: REDIS_URL}}",
    fix: "Say how many proxies are in front, each of which must add to `X-Forwarded-For`: `trustProxy: 1`. Where the load balancer passes connections on as they come, so that the clients' addresses are seen, say `trustProxy: 0`.",
  },
  message: () =>
    "behind a load balancer all clients have one budget of requests, unless trustProxy says how many proxies there are",
});
