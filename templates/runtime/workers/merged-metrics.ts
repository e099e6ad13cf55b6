import type { WorkerPage } from "./messages.js";

/** The metrics of one name. */
interface Family {
  /** Its `# HELP` and `# TYPE`. */
  readonly head: string[];
  /** By the text of the name and the labels. */
  readonly values: Map<string, number>;
}

/** Metrics that mean nothing when they are added up. Each worker has its own, with its number as a label. */
const PER_PROCESS = /^(?:process_|nodejs_|mcp_server_shared$)/;

/** The label of a metric that has the name of an item. */
const ITEM_LABEL = /(?<=[{,]name=")(?:[^"\\]|\\.)*(?=")/;

/**
 * Joins the pages of metrics of several workers, in the text format of Prometheus. Of workers that have ended, what only
 * grows is counted further: readers take a sum that becomes less for a start from 0, and count all of it once more.
 * @param nameOf Replaces the name of an item.
 */
export function mergedMetrics(
  pages: readonly WorkerPage[],
  nameOf: (name: string) => string = (name) => name,
): string {
  const families = new Map<string, Family>();
  for (const page of pages) addPage(families, page, nameOf);
  const lines = [...families.values()].flatMap(({ head, values }) => [
    ...head,
    ...[...values].map(([key, value]) => `${key} ${value}`),
  ]);
  return [...lines, ""].join("\n");
}

function addPage(
  families: Map<string, Family>,
  { worker, text }: WorkerPage,
  nameOf: (name: string) => string,
): void {
  let family: Family | undefined;
  let isKept = true;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, tag, name = "", type] = /^# (HELP|TYPE) (\S+) (\S+)/.exec(line) ?? [];
    if (tag === "HELP") {
      family = families.get(name) ?? { head: [], values: new Map() };
      families.set(name, family);
    }
    if (tag === "TYPE") isKept = worker !== undefined || isCounted(name, type);
    if (tag !== undefined) {
      if (family !== undefined && !family.head.includes(line)) family.head.push(line);
      continue;
    }
    const end = line.lastIndexOf(" ");
    const key = keyOf(line.slice(0, end), worker, nameOf);
    const value = (family?.values.get(key) ?? 0) + Number(line.slice(end + 1));
    if (isKept) family?.values.set(key, value);
  }
}

/** Whether a metric counts what has happened in all, so that it must never become less. */
function isCounted(name: string, type: string | undefined): boolean {
  return (type === "counter" || type === "histogram") && !PER_PROCESS.test(name);
}

function keyOf(text: string, worker: number | undefined, nameOf: (name: string) => string): string {
  const [name = ""] = /^[^{]*/.exec(text) ?? [];
  if (PER_PROCESS.test(name)) {
    const labels = text.slice(name.length + 1, -1);
    return `${name}{${labels}${labels === "" ? "" : ","}worker="${worker ?? ""}"}`;
  }
  return name.startsWith("mcp_server_request") ? text.replace(ITEM_LABEL, nameOf) : text;
}
