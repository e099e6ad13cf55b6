import type { Authentication } from "../authentication/authentication.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import type { Gate } from "../http/gate.js";
import { pageAnswer, READ_METHODS, type PageAnswer, type PlainPage } from "../http/page-answer.js";
import type { RunningServer } from "../server/create-server.js";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Makes the page of metrics. Only callers who may use the server can read it, and it names to each only the items
 * that the caller may use.
 */
export function metricsPage(gate: Gate, server: RunningServer): PlainPage {
  return pageOfMetrics(gate, server, (mayKnow) => server.metrics?.page(mayKnow) ?? "");
}

/** Makes the page of metrics that `read` returns. @param read gets whether the reader may know an item */
export function pageOfMetrics(
  gate: Gate,
  { access }: RunningServer,
  read: (mayKnow: (name: string) => boolean) => Awaitable<string>,
): PlainPage {
  return (request) => {
    const answer = gate.answerUnlessAdmitted(request, READ_METHODS);
    if (answer !== undefined) return answer;
    const show = (caller?: Authentication): Awaitable<PageAnswer> =>
      after(
        read((name) => access?.mayKnow(name, caller) ?? true),
        (page) => pageAnswer(200, contentType, page),
      );
    if (gate.isOpen) return show();
    return after(gate.identify(request), (sender) =>
      sender.kind === "refused" ? sender : show(sender.caller),
    );
  };
}
