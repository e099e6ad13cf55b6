import * as assert from "uvu/assert";
import { DemoServer, requestBody, textOf, type Answer } from "./demo-server.js";
import type { Probes } from "./probes.js";

const base64Name = (name: string): string => `=?base64?${Buffer.from(name).toString("base64")}?=`;

function assertInvalid({ message, text }: Answer, what: string): void {
  assert.is(message.error?.code, -32602, `${what.slice(0, 80)}: ${text.slice(0, 300)}`);
  assert.ok(text.length <= 4_096, `${what.slice(0, 80)}: a short error`);
}

/** A call by a name that headers cannot carry as it is. */
function callNamed(server: DemoServer, name: string): Promise<Answer> {
  const headers = { "mcp-name": base64Name(name.slice(0, 5_000)) };
  return server.call(name, {}, { headers });
}

/** Tools, resources, prompts and completion, and handlers that misbehave. */
export const itemProbes: Probes = {
  R22: async (server) => {
    for (const name of ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"]) {
      assertInvalid(await server.call(name, {}), name);
    }
  },
  R23: async (server) => {
    for (const name of ["a\r\nb", "a\u001b[31mb", "a\u2028b", "a".repeat(5_000)]) {
      const answer = await callNamed(server, name);
      assertInvalid(answer, name);
      assert.not.match(answer.message.error?.message ?? "", /[\p{Cc}\u2028]|a{200}/u);
    }
    const long = await server.call("a".repeat(1_900_000), {});
    assert.ok(
      [400, 200].includes(long.status) && long.text.length <= 4_096,
      long.text.slice(0, 99),
    );
  },
  R24: async (server) => {
    for (const method of ["unknown", "rpc.x", "__proto__", "tools/call/", "m".repeat(100)]) {
      const answer = await server.send(method);
      assert.is(answer.message.error?.code, -32601, `${method}: ${answer.text.slice(0, 200)}`);
      assert.is(answer.status, 404, method);
    }
    const long = await server.send("m".repeat(1_000_000));
    assert.ok(long.message.error !== undefined && long.text.length <= 4_096, "a method of 1 MB");
  },
  R35: async (server) => {
    for (const path of ["../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "a/../../b", ".."]) {
      assertInvalid(await server.send("resources/read", { uri: `file:///docs/${path}` }), path);
    }
  },
  R36: async (server) => {
    for (const path of ["..%2f..%2fetc%2fpasswd", "..%5c..%5cetc", "a%00b"]) {
      assertInvalid(await server.send("resources/read", { uri: `file:///docs/${path}` }), path);
    }
  },
  R37: async (server) => {
    assertInvalid(await server.send("resources/read", { uri: "file:///docs//etc/passwd" }), "//");
  },
  R39: async (server) => {
    for (const name of ["outside", "twin", "environ"]) {
      const answer = await server.send("resources/read", { uri: `demo://${name}` });
      assert.is(answer.message.error?.code, -32603, answer.text.slice(0, 200));
      assert.match(answer.text, /reference/);
    }
    const plain = await server.send("resources/read", { uri: "demo://plain" });
    assert.equal(plain.message.result?.["contents"], [{ uri: "demo://plain", text: "plain" }]);
  },
  R40: async (server) => {
    for (const name of ["fifo", "folder", "huge", "zero"]) {
      const answer = await server.send("resources/read", { uri: `demo://${name}` });
      assert.is(answer.message.error?.code, -32603, `${name}: ${answer.text.slice(0, 200)}`);
    }
  },
  R41: async (server) => {
    const read = (uri: string): Promise<Answer> =>
      server.send("resources/read", { uri }, { headers: { "mcp-name": uri.slice(0, 8_000) } });
    const at = `demo://parts/one/${"x".repeat(2_048 - 17)}`;
    assert.ok((await read(at)).message.result, "at the limit");
    assertInvalid(await read(`${at}x`), "over the limit");
    const hostile = await read(`demo://parts/${"-".repeat(2_000)}`);
    assertInvalid(hostile, "no template fits");
    const megabyte = await server.send("resources/read", {
      uri: `demo://${"a".repeat(1_000_000)}`,
    });
    assert.ok(megabyte.message.error !== undefined && megabyte.text.length <= 4_096);
  },
  R49: async (server) => {
    const get = (args: unknown): Promise<Answer> =>
      server.send("prompts/get", { name: "greet", arguments: args });
    assertInvalid(await get({}), "a missing argument");
    assertInvalid(await get({ who: "x", more: "y" }), "an unknown argument");
    assertInvalid(await get({ who: 1 }), "an argument that is no text");
    const proto = requestBody("prompts/get", { name: "greet", arguments: { who: "x" } });
    const body = proto.replace('"who":"x"', '"who":"x","__proto__":"y"');
    assertInvalid(await server.send("prompts/get", { name: "greet" }, { body }), "__proto__");
    for (const who of ["{{who}}", "$&", "$1", "{{#who}}", "\\", "</script>"]) {
      const { message } = await get({ who });
      const messages = message.result?.["messages"] as [{ content: { text: string } }];
      assert.is(messages[0].content.text, `Hello, ${who}!`);
    }
  },
  R50: async (server) => {
    const thrown = ["error", "string", "undefined", "null", "symbol", "getter", "after its time"];
    for (const how of thrown) {
      const answer = await server.call("fail", { how });
      assert.ok(answer.message.result?.["isError"], how);
      const expected = how === "after its time" ? /longer than 2 s/ : /^Internal error \(reference/;
      assert.match(textOf(answer), expected, how);
    }
    // What fails after its answer is the process's to log.
    if (!(server instanceof DemoServer)) return;
    const from = server.logLines.length;
    assert.is(textOf(await server.call("fail", { how: "late" })), "answered");
    // The log has it whole.
    await server.untilLogged("password=hunter2", 1, from);
  },
  R51: async (server) => {
    for (const how of [
      "undefined",
      "circular",
      "bigint",
      "huge",
      "wrong shape",
      "breaks its schema",
    ]) {
      const answer = await server.call("spoil", { how });
      assert.ok(answer.message.result?.["isError"], `${how}: ${answer.text.slice(0, 200)}`);
      assert.ok(answer.text.length <= 4_096, how);
    }
    // Writing 40 MB as JSON, which is more than a result may have, is the handler's own block.
    await server.call("watch", {});
  },
  R52: async (server) => {
    const before = server.logLines.length;
    const answers = await Promise.all([
      server.call("fail", { how: "never" }),
      server.call("wait", { ms: 30_000 }),
    ]);
    for (const answer of answers) assert.match(textOf(answer), /longer than 2 s/);
    await server.untilLogged("aborted while waiting", 1, before);
  },
  R64: async (server) => {
    const withMeta = (extra: string): Promise<Answer> => {
      const body = requestBody("tools/call", { name: "echo", arguments: { text: "x" } });
      const changed = body.replace('"_meta":{', () => `"_meta":{${extra},`);
      return server.send("tools/call", { name: "echo" }, { body: changed });
    };
    const extras = [
      `"traceparent":"${"a".repeat(1_000_000)}"`,
      '"__proto__":{"x":1},"constructor":1',
      '"io.modelcontextprotocol/unknown":1,"mcp.dev/x":{}',
    ];
    for (const extra of extras) {
      const { message, text } = await withMeta(extra);
      assert.ok(message.result !== undefined || message.error?.code === -32602, text.slice(0, 200));
    }
    assert.ok(!server.logLines.some((line) => line.length > 50_000), "not logged whole");
  },
  R68: async (server) => {
    const complete = (ref: unknown, value: unknown): Promise<Answer> =>
      server.send("completion/complete", { ref, argument: { name: "from", value } });
    assertInvalid(await complete({ type: "ref/prompt", name: "unknown" }, ""), "an unknown prompt");
    assertInvalid(await complete({ type: "ref/other" }, ""), "an unknown reference");
    assertInvalid(await complete(null, ""), "no reference");
    const greet = { type: "ref/prompt", name: "greet" };
    const huge = await complete(greet, "x".repeat(1_000_000));
    assert.ok(huge.text.length <= 4_096);
    assertInvalid(await complete(greet, 1), "a value that is no text");
  },
  R70: async (server) => {
    const body = requestBody("tools/call", { name: "fail", arguments: { how: "error" } });
    const changed = body.replace(
      '"_meta":{',
      '"_meta":{"io.modelcontextprotocol/logLevel":"debug",',
    );
    const answer = await server.send("tools/call", { name: "fail" }, { body: changed });
    assert.match(answer.text, "reference");
    assert.not.match(answer.text, /hunter2|id_rsa/);
  },
  R77: async (server) => {
    const call = (times: string): Promise<Answer> => {
      const body = requestBody("tools/call", { name: "count", arguments: { items: ["@"] } });
      const changed = body.replace('"@"', () => times);
      return server.send("tools/call", { name: "count" }, { body: changed });
    };
    for (const number of ["9007199254740993", "12345678901234567890", "1E-400", "1e400"]) {
      const answer = await call(number);
      assert.ok(answer.message.result?.["isError"], answer.text.slice(0, 200));
      assert.match(textOf(answer), /^Input validation error: .*items\.0: /);
    }
    for (const number of ["-0", "1e2"]) assert.is(textOf(await call(number)), "1");
  },
  R78: async (server) => {
    for (const value of ["%252e%252e", "a.", "a%20", "a:stream", "CON", "C:", "%5c", "a%255cb"]) {
      const uris = [`file:///docs/${value}`, `file:///docs/a/${value}`, `demo://parts/${value}/b`];
      for (const uri of uris) assertInvalid(await server.send("resources/read", { uri }), uri);
    }
  },
};
