import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  readPrometheusText,
  type Sample,
} from "../../../generator/testing/harness/oracles/prometheus-text.js";
import { createServer } from "../server/create-server.js";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "./log.js";
import { createMetrics, PrometheusMetrics } from "./metrics.js";
import type { Metrics } from "../http/transport.js";
import type { ObservedRequest } from "./request-observer.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";

const finished: ObservedRequest = { transport: "http", outcome: "ok", durationMs: 3 };

test.after(closeAll);

function samples(metrics: Metrics, name: string): Sample[] {
  return readPrometheusText(metrics.page()).filter((sample) => sample.name === name);
}

test("the reader of Prometheus text rejects malformed pages", () => {
  const head = "# HELP a_total A.\n# TYPE a_total counter\n";
  assert.is(readPrometheusText(`${head}a_total{b="c\\"\\n"} 1\n`)[0]?.labels["b"], 'c"\n');
  for (const page of [
    `${head}a_total 1`,
    "a_total 1\n",
    `${head}a_total 1\na_total 2\n`,
    `${head}b_total 1\n`,
    `${head}a_total{b="c} 1\n`,
    `${head}a_total{b="c",} 1\n`,
    `${head}a_total one\n`,
    `${head}${head}`,
    "# HELP a A.\n# TYPE a counter\n",
    '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
    '# HELP h H.\n# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n',
  ]) {
    assert.throws(() => readPrometheusText(page), undefined, page);
  }
});

test("requests are counted by method, name and outcome, and timed in seconds", () => {
  const metrics = new PrometheusMetrics();
  const call = { ...finished, method: "tools/call", item: "greet" };
  metrics.observe(call);
  metrics.observe({ ...call, durationMs: 60_000 });
  metrics.observe({ ...call, outcome: "tool_error" });
  metrics.observe({ ...finished, method: "resources/read", item: 'a "b"\\\n' });
  assert.equal(
    samples(metrics, "mcp_server_requests_total").map(({ labels, value }) => [labels, value]),
    [
      [{ method: "tools/call", name: "greet", outcome: "ok" }, 2],
      [{ method: "tools/call", name: "greet", outcome: "tool_error" }, 1],
      [{ method: "resources/read", name: 'a "b"\\\n', outcome: "ok" }, 1],
    ],
  );
  const [{ value: seconds } = { value: 0 }] = samples(
    metrics,
    "mcp_server_request_duration_seconds_sum",
  );
  assert.is(seconds, 60.003);
  const buckets = samples(metrics, "mcp_server_request_duration_seconds_bucket");
  const counts = buckets.slice(0, 11).map(({ labels, value }) => `${labels["le"]}: ${value}`);
  assert.equal(counts.slice(0, 2), ["0.001: 0", "0.005: 1"]);
  assert.equal(counts.slice(-2), ["30: 1", "+Inf: 2"]);
});

test("unknown names and methods share a label, and the number of series is bounded", () => {
  const metrics = new PrometheusMetrics();
  for (let index = 0; index < 5_000; index++) {
    metrics.observe({ ...finished, method: "tools/call", unknown: `made-up-${index}` });
    metrics.observe({ ...finished, unknown: `method-${index}` });
  }
  assert.equal(
    samples(metrics, "mcp_server_requests_total").map(({ labels, value }) => [labels, value]),
    [
      [{ method: "tools/call", name: "", outcome: "ok" }, 5_000],
      [{ method: "other", name: "", outcome: "ok" }, 5_000],
    ],
  );
  for (let index = 0; index < 5_000; index++) {
    metrics.observe({ ...finished, method: "tools/call", item: `declared_${index}` });
  }
  const counted = samples(metrics, "mcp_server_requests_total");
  assert.ok(counted.length <= 1_001, `${counted.length} combinations`);
  assert.is(
    counted.reduce((total, { value }) => total + value, 0),
    15_000,
  );
  assert.is(counted.find(({ labels }) => labels["name"] === "other")?.value, 4_002);
});

test("refusals are counted by transport and status", () => {
  const metrics = new PrometheusMetrics();
  const refusal = { ...finished, outcome: "refused", reason: "Host not allowed" } as const;
  for (const status of [403, 403, 429]) metrics.observe({ ...refusal, status });
  assert.equal(
    samples(metrics, "mcp_server_refusals_total").map(({ labels, value }) => [labels, value]),
    [
      [{ transport: "http", status: "403" }, 2],
      [{ transport: "http", status: "429" }, 1],
    ],
  );
  assert.equal(samples(metrics, "mcp_server_requests_total"), []);
});

test("the metrics of the process have plausible values", () => {
  const metrics = new PrometheusMetrics();
  const [memory] = samples(metrics, "process_resident_memory_bytes");
  assert.ok((memory?.value ?? 0) > 10_000_000);
  for (const name of ["process_cpu_seconds_total", "process_start_time_seconds"]) {
    assert.ok((samples(metrics, name)[0]?.value ?? 0) > 0, name);
  }
  for (const name of ["p50_seconds", "p99_seconds", "max_seconds"]) {
    assert.ok((samples(metrics, `nodejs_eventloop_lag_${name}`)[0]?.value ?? -1) >= 0, name);
  }
});

test("the page is served to allowed callers, and is not counted as a request", async () => {
  const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const definition = { ...http, metrics: "/metrics" };
  const server = createServer(
    { ...sampleServer, createMetrics },
    { root: process.cwd(), log: createLog({ write: () => undefined }) },
  );
  const listening = await listen(server, [httpEndpoint(server, definition)]);
  closeLater(() => listening.close());
  const url = new URL("/metrics", listening.url).href;
  await sendRaw(modernRequest(listening.url, "tools/list"));
  const { status, headers, text } = await sendRaw(new Request(url));
  assert.is(status, 200);
  assert.is(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const pageSamples = readPrometheusText(text);
  const valueOf = (name: string) => pageSamples.find((sample) => sample.name === name)?.value;
  assert.is(valueOf("mcp_server_requests_total"), 1);
  assert.is(valueOf("mcp_server_requests_in_flight"), 0);
  assert.is(valueOf("mcp_server_handlers_running"), 0);
  assert.ok((valueOf("mcp_server_connections") ?? 0) >= 1);
  const evil = new Request(url, { headers: { origin: "http://evil.example" } });
  assert.is((await sendRaw(evil)).status, 403);
  assert.is((await sendRaw(new Request(url, { method: "POST", body: "{}" }))).status, 405);
  assert.is((await sendRaw(new Request(url, { method: "HEAD" }))).text, "");
});

test("requests for deprecated items are counted, for readers who may know the item", () => {
  const [one, other] = sampleServer.tools;
  assert.ok(one !== undefined && other !== undefined);
  const tools = [{ ...one, deprecated: { until: "2.0.0" } }, other];
  const metrics = new PrometheusMetrics();
  // Only these members of the server are read before its page is asked for.
  metrics.watch({
    engine: { definition: { ...sampleServer, tools } },
    calls: { size: 0 },
  } as never);
  for (const { definition } of tools) {
    for (const outcome of ["ok", "error"] as const) {
      metrics.observe({ ...finished, outcome, method: "tools/call", item: definition.name });
    }
  }
  const counted = samples(metrics, "mcp_server_deprecated_requests_total");
  assert.equal(
    counted.map(({ labels, value }) => [labels, value]),
    [[{ method: "tools/call", name: one.definition.name }, 2]],
  );
  assert.not.match(
    metrics.page(() => false),
    "deprecated_requests_total{",
  );
});

test.run();
