/** The source of an MCP server of the legacy era. Each tool shows one good or bad behaviour of a server. */
export const REMOTE_PROGRAM = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const notify = (method, params) => send({ method, params });
const text = (text) => ({ content: [{ type: "text", text }] });
let calls = 0;
let cancelled = [];
const tools = {
  echo: (id, { arguments: input }) => send({ id, result: { ...text(JSON.stringify(input)), structuredContent: input, _meta: { "a/b": 1 } } }),
  count: (id) => send({ id, result: text(String((calls += 1))) }),
  environment: (id) => send({ id, result: text(JSON.stringify({ ...process.env, PATH: "", HOME: "" })) }),
  secret: (id) => send({ id, result: text("it is " + process.env.A_TOKEN) }),
  cwd: (id) => send({ id, result: text(process.cwd()) }),
  fails: (id) => send({ id, result: { ...text("no " + process.env.A_TOKEN), isError: true } }),
  refuses: (id) => send({ id, error: { code: -32000, message: "not " + process.env.A_TOKEN } }),
  talks(id, { _meta }) {
    notify("notifications/message", { level: "notice", data: "first" });
    notify("notifications/message", { level: "critical", logger: "x", data: { second: 2 } });
    const { progressToken } = _meta;
    for (const progress of [1, 2]) notify("notifications/progress", { progressToken, progress, total: 2, message: "step" });
    send({ id, result: text("done") });
  },
  dies(id) { console.error("out of " + process.env.A_TOKEN); process.exit(3); },
  silent() {},
  cancelled: (id) => send({ id, result: text(JSON.stringify(cancelled)) }),
  huge: (id) => send({ id, result: text("x".repeat(2_000_000)) }),
  endless() { setInterval(() => process.stdout.write("y".repeat(65_536)), 1); },
  floods(id, { _meta }) {
    for (let progress = 1; progress <= 3_000; progress++) {
      notify("notifications/progress", { progressToken: _meta.progressToken, progress });
    }
    send({ id, result: text("flooded") });
  },
  chatters(id, { arguments: { length } }) {
    for (let count = 0; count < (length ? 1 : 3_000); count++) notify("notifications/message", { level: "info", data: { text: "x".repeat(length ?? 10) } });
    send({ id, result: text("chattered") });
  },
  changes(id) {
    for (let count = 0; count < 3_000; count++) notify("notifications/tools/list_changed");
    send({ id, result: text("changed") });
  },
  strange: (id) => send({ id, result: { content: [{ type: "text", text: 7 }] } }),
  junk(id) {
    process.stdout.write("no JSON\\n[]\\n{}\\nnull\\n{\\"jsonrpc\\":\\"2.0\\",\\"id\\":99,\\"result\\":{}}\\n" + "[".repeat(50_000) + "]".repeat(50_000) + "\\n");
    send({ id, result: text("after junk") });
  },
  asks(id) { send({ id: "q1", method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } }); asked = id; },
  starts(id) {
    const child = require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "ignore" });
    send({ id, result: text(JSON.stringify([process.pid, child.pid])) });
  },
};
let asked;
const methods = {
  initialize: (id, { protocolVersion }) => send({ id, result: { protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: "r", version: "1" } } }),
  "logging/setLevel": (id) => send({ id, result: {} }),
  "tools/call": (id, params) => tools[params.name](id, params),
  "prompts/get": (id, params) => send({ id, result: { description: "d", messages: [{ role: "user", content: { type: "text", text: JSON.stringify(params) } }] } }),
  "resources/read"(id, { uri }) {
    if (uri.endsWith("none")) return send({ id, error: { code: -32002, message: "Resource not found", data: { uri } } });
    send({ id, result: { contents: [{ uri, mimeType: "text/plain", text: uri, _meta: { m: 1 } }, { uri: uri + "/more", blob: "AQID" }] } });
  },
};
lines.on("line", (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (id === "q1") return send({ id: asked, result: text("refused with " + error.code) });
  if (method === "notifications/cancelled") cancelled.push(params.requestId);
  else if (method === "server/discover" && process.argv[1] === "brittle") process.exit(1);
  else if (id !== undefined && methods[method]) methods[method](id, params);
  else if (id !== undefined) send({ id, error: { code: -32601, message: "unknown method" } });
});
lines.on("close", () => process.argv[1] === "stubborn" || process.exit(0));
`;
