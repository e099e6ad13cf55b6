import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { caller, sampleEngine } from "../samples/engine.js";
import { erased, tool } from "../samples/server.js";
import { describeError } from "./describe-error.js";

/** The log describes every thrown value, also those that are hard to read. */

const fail = (): never => {
  throw new Error("a trap");
};
const TRAPS = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, fail]));

/** Makes an error with a member that throws when it is read. */
function unreadable(key: string | symbol): Error {
  return Object.defineProperty(new Error("the reason"), key, { get: fail });
}

class Named extends Error {
  override get name(): string {
    return fail();
  }
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** Thrown values with their descriptions in the log. */
const THROWN: Readonly<Record<string, readonly [thrown: unknown, said: RegExp]>> = {
  "a null prototype": [Object.assign(Object.create(null), { why: "the reason" }), /the reason/],
  "an error without a prototype": [
    Object.setPrototypeOf(new Error("the reason"), null),
    /the reason/,
  ],
  "a stack that throws": [unreadable("stack"), /the reason/],
  "a message that throws": [unreadable("message"), /name: Error; message: unreadable/],
  "a name that throws": [unreadable("name"), /the reason/],
  "a name of the class that throws": [new Named("the reason"), /the reason/],
  "a cause that throws": [unreadable("cause"), /the reason/],
  "an inspection of its own that throws": [
    Object.assign(new Error("the reason"), { [inspect.custom]: fail }),
    /the reason/,
  ],
  "a name that is a symbol": [
    Object.assign(new Error("the reason"), { name: Symbol("n") }),
    /the reason/,
  ],
  "a proxy": [new Proxy(new Error("the reason"), TRAPS), /the reason/],
  "a proxy that was revoked": [revoked.proxy, /Revoked Proxy/],
  "a proxy as its prototype": [
    Object.create(new Proxy({}, TRAPS)),
    /a trap, of type object; name: unreadable/,
  ],
  "a symbol": [Symbol("the reason"), /Symbol\(the reason\)/],
  "a function": [function theReason() {}, /theReason/],
  undefined: [undefined, /undefined/],
};

for (const [what, [thrown, said]] of Object.entries(THROWN)) {
  test(`${what}: described, and answered when a handler throws it`, async () => {
    assert.match(describeError(thrown), said);

    for (const handler of [() => raise(thrown), async () => raise(thrown)]) {
      const engine = sampleEngine({ tools: [tool("only", erased(handler))] });
      const answer = await engine.tools.call({ name: "only", arguments: {} }, caller);
      const { text } = answer.content[0] as { text: string };
      const [, reference = ""] = /^Internal error \(reference (\w+)\)$/.exec(text) ?? [];
      const entry = engine.lines.map((line) => JSON.parse(line) as Record<string, unknown>).at(-1);
      assert.is(entry?.["reference"], reference);
      assert.match(String(entry?.["error"]), said);
    }
  });
}

test("an error is described with its message even if a package breaks its stack", () => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = fail;
  const error = new Error("the reason");
  try {
    assert.match(describeError(error), /the reason/);
  } finally {
    if (prepareStackTrace === undefined)
      delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
    else Error.prepareStackTrace = prepareStackTrace;
  }
});

function raise(thrown: unknown): never {
  throw thrown;
}

test.run();
