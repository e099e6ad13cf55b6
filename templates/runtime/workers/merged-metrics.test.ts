import { test } from "uvu";
import * as assert from "uvu/assert";
import { mergedMetrics } from "./merged-metrics.js";

const page = (calls: number, name: string): string =>
  [
    "# HELP mcp_server_requests_total Requests that were answered.",
    "# TYPE mcp_server_requests_total counter",
    `mcp_server_requests_total{method="tools/call",name="${name}",outcome="ok"} ${calls}`,
    "# HELP mcp_server_connections Open connections.",
    "# TYPE mcp_server_connections gauge",
    'mcp_server_connections{address="[::1]:3000"} 2',
    "# HELP process_cpu_seconds_total CPU time of the process.",
    "# TYPE process_cpu_seconds_total counter",
    "process_cpu_seconds_total 1.5",
    "",
  ].join("\n");

const valuesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("what workers count is added up, and each has its own figures of the process", () => {
  const merged = mergedMetrics([
    { worker: 1, text: page(3, "a") },
    { worker: 2, text: page(4, "a") },
  ]);
  assert.equal(valuesOf(merged), [
    'mcp_server_requests_total{method="tools/call",name="a",outcome="ok"} 7',
    'mcp_server_connections{address="[::1]:3000"} 4',
    'process_cpu_seconds_total{worker="1"} 1.5',
    'process_cpu_seconds_total{worker="2"} 1.5',
  ]);
  assert.is(merged.split("# TYPE mcp_server_connections gauge").length, 2, "one head each");
});

test("of workers that have ended, only what never becomes less is kept, however often they end", () => {
  const ended = mergedMetrics([{ text: "" }, { text: page(3, "a") }]);
  const both = mergedMetrics([{ text: ended }, { text: page(4, "a") }]);
  assert.equal(valuesOf(both), [
    'mcp_server_requests_total{method="tools/call",name="a",outcome="ok"} 7',
  ]);
  assert.equal(valuesOf(mergedMetrics([{ text: both }, { worker: 1, text: page(1, "a") }])), [
    'mcp_server_requests_total{method="tools/call",name="a",outcome="ok"} 8',
    'mcp_server_connections{address="[::1]:3000"} 2',
    'process_cpu_seconds_total{worker="1"} 1.5',
  ]);
});

test("items whose names a reader may not know are counted under one name", () => {
  const pages = [
    { worker: 1, text: page(3, "a") },
    { worker: 2, text: page(4, String.raw`b\"{name=\"`) },
  ];
  assert.equal(valuesOf(mergedMetrics(pages, () => "other")).slice(0, 1), [
    'mcp_server_requests_total{method="tools/call",name="other",outcome="ok"} 7',
  ]);
});

test.run();
