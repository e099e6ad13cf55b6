import type { RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import type { Gate } from "./gate.js";
import {
  isRead,
  statusAnswer,
  READ_METHODS,
  refusedMethod,
  type PlainPage,
} from "./page-answer.js";

import { cardPath } from "./server-card-path.js";

/**
 * Reports whether the server is up and can use all of its items. Requests may name any host, since load
 * balancers use an address.
 */
function healthPage(gate: Gate, { brokenItems }: RunningServer): PlainPage {
  return (request) => {
    if (!isRead(request)) return refusedMethod(READ_METHODS);
    return statusAnswer(gate.isStopping ? "stopping" : brokenItems.size > 0 ? "broken" : undefined);
  };
}

/** The pages of an endpoint beside that of the protocol, by their paths. */
export function plainPages(
  server: RunningServer,
  definition: HttpDefinition,
  gate: Gate,
): ReadonlyMap<string, PlainPage> {
  const { path, health, ready, metrics, card } = definition;
  const { metricsPage, readyPage, cardPage, accountPages } = server.definition;
  const pages = new Map(accountPages?.(gate, server, definition));
  pages.set(health, healthPage(gate, server));
  if (ready !== undefined && readyPage !== undefined) pages.set(ready, readyPage(gate, server));
  if (metrics !== undefined && metricsPage !== undefined) {
    pages.set(metrics, metricsPage(gate, server));
  }
  if (card !== undefined && cardPage !== undefined) {
    pages.set(cardPath(path), cardPage(server.definition, card));
  }
  return pages;
}
