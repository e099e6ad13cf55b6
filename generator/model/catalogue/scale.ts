import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about servers of several processes. */

export const nothingToShare = defineDiagnostic<{ what: string }>({
  code: "MW2180",
  severity: "warning",
  message: ({ what }) => `there are no ${what} to share`,
});

export const scaleWithoutNetwork = defineDiagnostic({
  code: "MW2181",
  severity: "warning",
  message: () => "scale has no effect without a transport over the network",
});

export const sessionsOfOneProcess = defineDiagnostic({
  code: "MW2182",
  severity: "warning",
  message: () =>
    "a session lives in one process: the load balancer must send requests with the same Mcp-Session-Id there",
});

export const balancerTakenForClient = defineDiagnostic({
  code: "MW2183",
  severity: "warning",
  message: () =>
    "behind a load balancer all clients have one budget of requests, unless trustProxy says how many proxies there are",
});
