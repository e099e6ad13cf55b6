import { pageOfMetrics } from "../observe/metrics-page.js";
import type { RuntimeParts } from "../engine/definition.js";
import { mergedMetrics } from "./merged-metrics.js";
import type { PrimaryLink } from "./primary-link.js";

/** Makes the page of metrics of all workers together, which any of them can show. */
export function metricsPageOf(link: PrimaryLink): NonNullable<RuntimeParts["metricsPage"]> {
  return (gate, server) => {
    link.on("page", ({ id }) => {
      link.send({ kind: "page", id, text: server.metrics?.page() ?? "" });
    });
    return pageOfMetrics(gate, server, async (mayKnow) => {
      const pages = await link.ask("pages", {});
      return mergedMetrics(pages, (name) => shownName(name, mayKnow));
    });
  };
}

/** The name of an item in the metrics for a reader who may not know all items. */
function shownName(label: string, mayKnow: (name: string) => boolean): string {
  const name = label.replace(/\\(.)/g, (_, character: string) =>
    character === "n" ? "\n" : character,
  );
  return name === "" || mayKnow(name) ? label : "other";
}
