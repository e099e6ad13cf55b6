import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Metrics } from "../http/transport.js";

/** How often the delay of the event loop is measured, in milliseconds. */
const resolutionMs = 20;

/** Registers metrics of the process, with the names that Prometheus' own clients use. */
export function registerProcessGauges(metrics: Metrics): void {
  registerTimes(metrics);
  registerMemory(metrics);
  registerEventLoop(metrics);
}

function registerTimes(metrics: Metrics): void {
  const start = Date.now() / 1_000 - process.uptime();
  metrics.gauge("process_start_time_seconds", "Start of the process since 1970.", () => start);
  const cpu = (pick: (usage: NodeJS.CpuUsage) => number): number => pick(process.cpuUsage()) / 1e6;
  metrics.counter("process_cpu_seconds_total", "CPU time of the process.", () =>
    cpu(({ user, system }) => user + system),
  );
  metrics.counter("process_cpu_user_seconds_total", "CPU time in user mode.", () =>
    cpu(({ user }) => user),
  );
  metrics.counter("process_cpu_system_seconds_total", "CPU time in system mode.", () =>
    cpu(({ system }) => system),
  );
}

function registerMemory(metrics: Metrics): void {
  const memoryGauges = [
    ["process_resident_memory_bytes", "Resident memory.", "rss"],
    ["nodejs_heap_size_total_bytes", "Size of the heap.", "heapTotal"],
    ["nodejs_heap_size_used_bytes", "What the heap holds.", "heapUsed"],
    ["nodejs_external_memory_bytes", "Memory outside the heap that objects in it own.", "external"],
  ] as const;
  for (const [name, help, key] of memoryGauges) {
    metrics.gauge(name, help, () => process.memoryUsage()[key]);
  }
}

/** Registers the delay of the event loop since the page was last read, like Prometheus' own client for Node. */
function registerEventLoop(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - resolutionMs) / 1e3 : 0;
  const name = "nodejs_eventloop_lag";
  const since = "since the last page";
  metrics.gauge(`${name}_p50_seconds`, `Median delay of the event loop ${since}.`, () =>
    seconds(delays.percentile(50)),
  );
  metrics.gauge(`${name}_p99_seconds`, `99th percentile of its delays ${since}.`, () =>
    seconds(delays.percentile(99)),
  );
  metrics.gauge(`${name}_max_seconds`, `Longest of its delays ${since}.`, () => {
    const longest = seconds(delays.max);
    delays.reset();
    return longest;
  });
  let previous = performance.eventLoopUtilization();
  metrics.gauge("nodejs_eventloop_utilization", `Share of the time it was busy ${since}.`, () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, previous);
    previous = current;
    return utilization;
  });
}
