import { readRequestStateKeys } from "../asking/request-state-keys.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { EnvVariable } from "./env.js";
import { readEnvironment, withPlaceholders } from "./env.js";

const variable = (name: string, rest: Partial<EnvVariable> = {}): EnvVariable => ({
  name,
  type: "string",
  required: false,
  secret: false,
  ...rest,
});

test("values are converted, absent ones get their default or are left out", () => {
  const reading = readEnvironment(
    [
      variable("NAME"),
      variable("COUNT", { type: "number" }),
      variable("DEBUG", { type: "boolean" }),
      variable("API", { type: "url" }),
      variable("MODE", { enum: ["fast", "slow"], default: "slow" }),
      variable("LEVEL", { type: "number", enum: [1, 2], default: 2 }),
      variable("EMPTY"),
      variable("OFF", { type: "boolean", default: false }),
    ],
    { NAME: " x ", COUNT: "1e3", DEBUG: "1", API: "https://example.com/a", EMPTY: "" },
  );
  assert.ok(reading.ok);
  const { API, ...rest } = reading.env;
  assert.is(String(API), "https://example.com/a");
  assert.equal(rest, { NAME: " x ", COUNT: 1000, DEBUG: true, MODE: "slow", LEVEL: 2, OFF: false });
});

test("a variable that sets a limit must have a value that the limit may have", () => {
  const rate = variable("RATE", { type: "number" });
  const depth = variable("DEPTH", { type: "number", secret: true });
  const limits = { ratePerSecond: { env: "RATE" }, depth: { env: "DEPTH" }, sessions: 3 };
  const read = (environment: Record<string, string>) =>
    readEnvironment([rate, depth], environment, limits);
  assert.equal(read({ RATE: "0.5", DEPTH: "9" }), { ok: true, env: { RATE: 0.5, DEPTH: 9 } });
  assert.equal(read({}), { ok: true, env: {} }, "the default of the limit holds");
  assert.equal(read({ RATE: "0", DEPTH: "1000" }), {
    ok: false,
    problems: [
      'RATE must be a number above 0 and at most 1000000, since it sets limits.ratePerSecond, not "0"',
      "DEPTH must be a whole number from 1 to 512, since it sets limits.depth",
    ],
    env: {},
  });
  assert.equal(read({ RATE: "fast" }), {
    ok: false,
    problems: ['RATE must be a number, not "fast"'],
    env: {},
  });
  const required = [{ ...rate, required: true }];
  assert.equal(withPlaceholders(required, {}, limits), { RATE: 1_000 }, "made up: the default");
});

test("a placeholder that a client of bundles has left in place counts as absent", () => {
  const key = { name: "KEY", type: "string", required: true, secret: true } as const;
  const mode = { name: "MODE", type: "string", required: false, secret: false } as const;
  const left = (name: string): string => `\${user_config.${name}}`;
  const read = (KEY: string, MODE: string) => readEnvironment([key, mode], { KEY, MODE });
  assert.equal(read(left("KEY"), left("MODE")), {
    ok: false,
    problems: ["KEY is required"],
    env: {},
  });
  // Text that a user has typed is a value, also where it looks like the placeholder of another variable.
  const env = { KEY: left("MODE"), MODE: `${left("MODE")} ` };
  assert.equal(read(env.KEY, env.MODE), { ok: true, env });
});

test("all problems are reported together, without secrets", () => {
  const reading = readEnvironment(
    [
      variable("KEY", { required: true }),
      variable("COUNT", { type: "number" }),
      variable("TOKEN", { type: "url", secret: true }),
      variable("MODE", { enum: ["fast", "slow"] }),
      variable("FLAG", { type: "boolean" }),
      variable("toString", { required: true, type: "number" }),
      variable("GOOD"),
    ],
    {
      KEY: "",
      COUNT: "ten",
      TOKEN: "hunter2",
      MODE: "odd\u001b[2J",
      FLAG: "constructor",
      GOOD: "yes",
    },
  );
  assert.not(reading.ok);
  assert.equal(reading.ok ? [] : reading.problems, [
    "KEY is required",
    'COUNT must be a number, not "ten"',
    "TOKEN must be a URL",
    'MODE must be one of fast, slow, not "odd\\u001b[2J"',
    'FLAG must be true or false, not "constructor"',
    "toString is required",
  ]);
  assert.equal(reading.env, { GOOD: "yes" });
});

test("placeholders have the declared type, and replace only variables that are required or have a default", () => {
  const variable = (name: string, rest: Partial<EnvVariable>): EnvVariable => ({
    name,
    type: "string",
    required: true,
    secret: false,
    ...rest,
  });
  const variables = [
    variable("URL", { type: "url" }),
    variable("COUNT", { type: "number" }),
    variable("LEVEL", { type: "number", enum: [3, 4] }),
    variable("FLAG", { type: "boolean" }),
    variable("KEY", {}),
    variable("USUAL", { required: false, default: "usual" }),
    variable("OPTIONAL", { required: false }),
  ];
  assert.equal(withPlaceholders(variables, { KEY: "k" }), {
    KEY: "k",
    URL: new URL("http://localhost/"),
    COUNT: 1,
    LEVEL: 3,
    FLAG: true,
    USUAL: "usual",
  });
});

test("keys for the state that clients keep are long enough, or absent", () => {
  const [older, newer] = ["o".repeat(32), "n".repeat(40)];
  assert.equal(readRequestStateKeys({}), {});
  assert.equal(readRequestStateKeys({ REQUEST_STATE_KEY: "" }), {});
  assert.equal(readRequestStateKeys({ REQUEST_STATE_KEY: newer }), { keys: [newer] });
  assert.equal(readRequestStateKeys({ REQUEST_STATE_KEY: `${newer}, ${older}` }), {
    keys: [newer, older],
  });
  for (const short of ["short", `${newer},short`, `${newer},`]) {
    const { keys, problem } = readRequestStateKeys({ REQUEST_STATE_KEY: short });
    assert.is(keys, undefined);
    assert.is(problem, "REQUEST_STATE_KEY must have at least 32 characters");
  }
});

test.run();
