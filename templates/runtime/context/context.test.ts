import { test } from "uvu";
import * as assert from "uvu/assert";
import { Cancellation } from "../engine/cancellation.js";
import { createLog } from "../observe/log.js";
import { keptMemory } from "../samples/kept-memory.js";
import { openContext, type Caller } from "./context.js";
import { lateMember } from "./late-member.js";

const shared = { env: {}, services: {}, log: createLog({ write: () => undefined }) };

const callerOf = (requestId: number): Caller & { readonly request: readonly number[] } => ({
  requestId,
  era: "modern",
  signal: new Cancellation(),
  sendLog: async () => undefined,
  clientCapabilities: () => undefined,
  request: Array.from({ length: 1_000 }, () => requestId),
});

const members = {
  "no more members": () => undefined,
  "a member that is made late": lateMember("late", () => "made"),
};

for (const [which, addMembers] of Object.entries(members)) {
  test(`the caller of a call that is over is collected with the young objects: a context with ${which}`, () => {
    const kept = keptMemory((id) => {
      const { context, end } = openContext(callerOf(id), new Cancellation(), shared);
      addMembers(context);
      end();
    });
    assert.ok(kept < 1_000, `${kept} bytes of a call are kept, of about 8,000`);
  });
}

test("a member that is made late is made once for each context, when it is first read", () => {
  const made: object[] = [];
  const addMember = lateMember("member", (given: string, context) => {
    made.push(context);
    return { given };
  });
  const [first, second] = [{ name: "first" }, { name: "second" }] as {
    readonly name: string;
    readonly member?: { readonly given: string };
  }[];
  addMember(first!, "one");
  addMember(second!, "two");
  assert.equal(made, []);
  assert.equal(second!.member, { given: "two" });
  assert.is(second!.member, second!.member);
  assert.equal(made, [second]);
  const copy = { ...first! };
  assert.is(copy.member, first!.member);
  assert.equal(Object.keys(first!), ["name", "member"]);
});

test.run();
