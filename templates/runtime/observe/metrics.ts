import { registerProcessGauges } from "./metrics-process.js";
import type { MetricLabels, Metrics } from "../http/transport.js";
import type { Facility, FacilityServer } from "../server/facility.js";
import type { ObservedRequest } from "./request-observer.js";

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/** The maximum number of combinations of method, name and outcome. Further names count as `other`. */
const maxSeries = 1_000;
const otherName = "other";

/** Makes the facility that counts requests and measures their durations. */
export function createMetrics(): Facility {
  const metrics = new PrometheusMetrics();
  return {
    observe: (request) => metrics.observe(request),
    join: (server) => {
      metrics.watch(server);
      return { metrics };
    },
  };
}

/** The number and durations of calls with the same method, item and outcome. */
interface Series extends Pick<ObservedRequest, "method" | "item" | "outcome"> {
  /** The number of calls in each bucket, without those of smaller buckets. The last bucket has no bound. */
  readonly counts: number[];
  seconds: number;
}

interface Gauge {
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly readings: Map<string, () => number>;
}

/** The metrics of a server, in the text format of Prometheus, version 0.0.4. */
export class PrometheusMetrics implements Metrics {
  readonly #series = new Map<string, Series>();
  readonly #refusals = new Map<string, number>();
  /** The names of deprecated items. */
  readonly #deprecated = new Set<string>();
  readonly #gauges = new Map<string, Gauge>();

  constructor() {
    registerProcessGauges(this);
  }

  /** Counts a finished request. */
  observe(request: ObservedRequest): void {
    const { transport, outcome, status } = request;
    if (outcome === "refused") {
      const labels = labelText({ transport, status: String(status) });
      this.#refusals.set(labels, (this.#refusals.get(labels) ?? 0) + 1);
      return;
    }
    const seconds = request.durationMs / 1_000;
    const series = this.#seriesOf(request);
    const boundIndex = bounds.findIndex((bound) => seconds <= bound);
    const bucket = boundIndex === -1 ? bounds.length : boundIndex;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.seconds += seconds;
  }

  /** Adds gauges for running handlers and open requests. */
  watch({ engine, calls, observer }: FacilityServer): void {
    const { tools, resources, resourceTemplates, prompts } = engine.definition;
    for (const { deprecated, definition } of [
      ...tools,
      ...resources,
      ...resourceTemplates,
      ...prompts,
    ]) {
      if (deprecated !== undefined) this.#deprecated.add(definition.name);
    }
    this.gauge("mcp_server_handlers_running", "Handlers that run.", () => calls.size);
    const help = "Requests that are being answered.";
    this.gauge("mcp_server_requests_in_flight", help, () => observer?.inFlight ?? 0);
  }

  gauge(name: string, help: string, read: () => number, labels: MetricLabels = {}): void {
    this.#register(name, "gauge", help, read, labels);
  }

  counter(name: string, help: string, read: () => number, labels: MetricLabels = {}): void {
    this.#register(name, "counter", help, read, labels);
  }

  page(mayKnow: (name: string) => boolean = () => true): string {
    return [
      ...this.#requestLines(mayKnow),
      ...this.#deprecatedLines(mayKnow),
      ...this.#refusalLines(),
      ...this.#gaugeLines(),
      "",
    ].join("\n");
  }

  #register(
    name: string,
    type: Gauge["type"],
    help: string,
    read: () => number,
    labels: MetricLabels,
  ): void {
    const gauge = this.#gauges.get(name) ?? { type, help, readings: new Map() };
    gauge.readings.set(labelText(labels), read);
    this.#gauges.set(name, gauge);
  }

  /** Unknown methods count as `other` and unknown names as "", so that callers cannot create labels. */
  #seriesOf({ method = otherName, item = "", outcome }: ObservedRequest): Series {
    const key = `${method} ${outcome} ${item}`;
    const existing = this.#series.get(key);
    if (existing !== undefined) return existing;
    if (this.#series.size >= maxSeries && item !== otherName && item !== "") {
      return this.#seriesOf({ method, item: otherName, outcome } as ObservedRequest);
    }
    const counts = Array<number>(bounds.length + 1).fill(0);
    const series = { method, item, outcome, counts, seconds: 0 };
    this.#series.set(key, series);
    return series;
  }

  /** The series in which items that the reader may not know count as `other`. */
  #seriesFor(mayKnow: (name: string) => boolean): ReadonlyMap<string, Series> {
    const shown = new Map<string, Series>();
    for (const series of this.#series.values()) {
      const { method = otherName, item = "", outcome } = series;
      const name = item === "" || item === otherName || mayKnow(item) ? item : otherName;
      const labels = labelText({ method, name, outcome });
      const same = shown.get(labels);
      shown.set(labels, same === undefined ? series : sumOf(same, series));
    }
    return shown;
  }

  *#requestLines(mayKnow: (name: string) => boolean): Generator<string> {
    const shown = this.#seriesFor(mayKnow);
    const total = "mcp_server_requests_total";
    const duration = "mcp_server_request_duration_seconds";
    yield* header(total, "counter", "Requests that were answered, by method, name and outcome.");
    for (const [labels, { counts }] of shown) {
      yield `${total}{${labels}} ${sum(counts)}`;
    }
    yield* header(duration, "histogram", "From when a request had arrived until it was answered.");
    for (const [labels, { counts, seconds }] of shown) {
      let cumulative = 0;
      for (const [bucket, count] of counts.entries()) {
        cumulative += count;
        yield `${duration}_bucket{${labels},le="${bounds[bucket] ?? "+Inf"}"} ${cumulative}`;
      }
      yield `${duration}_sum{${labels}} ${seconds}`;
      yield `${duration}_count{${labels}} ${cumulative}`;
    }
  }

  *#deprecatedLines(mayKnow: (name: string) => boolean): Generator<string> {
    if (this.#deprecated.size === 0) return;
    const name = "mcp_server_deprecated_requests_total";
    yield* header(name, "counter", "Requests for deprecated items, by method and name.");
    const totals = new Map<string, number>();
    for (const { method = otherName, item = "", counts } of this.#series.values()) {
      if (!this.#deprecated.has(item) || !mayKnow(item)) continue;
      const labels = labelText({ method, name: item });
      totals.set(labels, (totals.get(labels) ?? 0) + sum(counts));
    }
    for (const [labels, total] of totals) yield `${name}{${labels}} ${total}`;
  }

  *#refusalLines(): Generator<string> {
    const name = "mcp_server_refusals_total";
    yield* header(name, "counter", "Requests that were refused before the protocol, by status.");
    for (const [labels, count] of this.#refusals) yield `${name}{${labels}} ${count}`;
  }

  *#gaugeLines(): Generator<string> {
    for (const [name, { type, help, readings }] of this.#gauges) {
      yield* header(name, type, help);
      for (const [labels, read] of readings) {
        yield `${name}${labels === "" ? "" : `{${labels}}`} ${read()}`;
      }
    }
  }
}

function* header(name: string, type: string, help: string): Generator<string> {
  yield `# HELP ${name} ${help}`;
  yield `# TYPE ${name} ${type}`;
}

function labelText(labels: MetricLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

/** Adds up two series, neither of which changes. */
function sumOf(one: Series, other: Series): Series {
  return {
    ...one,
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0)),
    seconds: one.seconds + other.seconds,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
