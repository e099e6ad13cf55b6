import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { isSecretKey, MASK, MASKED_NUMBER, Secrets } from "./secrets.js";

const none = (): undefined => undefined;

test("keys that are named like secrets are recognised, and others are not", () => {
  const secret =
    "password apiKey api_key X-Api-Key clientSecret client_secret access_token accessToken Authorization SESSION_ID privateKey token cookie userPassword AUTH_KEY";
  const plain =
    "tokens max_tokens key keyboard name secretary author id sessionCount monkey pinned tokenizer";
  for (const name of secret.split(" ")) assert.ok(isSecretKey(name), name);
  for (const name of plain.split(" ")) assert.not.ok(isSecretKey(name), name);
});

test("a secret is masked wherever it occurs: in keys, in other texts, escaped, encoded, and as JSON in a text", () => {
  const known = 'p"ss w\u00f6rd/1';
  const secrets = new Secrets(none, [known]);
  const value = {
    plain: `before ${known} after`,
    json: JSON.stringify({ a: known }),
    url: `https://a/?q=${encodeURIComponent(known)}`,
    base: Buffer.from(known).toString("base64"),
    [known]: [known],
    other: "stays",
  };
  secrets.learn(value);
  const masked = JSON.stringify(secrets.mask(value));
  for (const form of [known, JSON.stringify(known).slice(1, -1), encodeURIComponent(known)]) {
    assert.not.ok(masked.includes(JSON.stringify(form).slice(1, -1)), form);
  }
  assert.not.ok(masked.includes(Buffer.from(known).toString("base64").replace(/=+$/, "")));
  assert.equal((secrets.mask(value) as JsonObject)["plain"], `before ${MASK} after`);
  assert.equal((secrets.mask(value) as JsonObject)["other"], "stays");
});

test("values of secret keys and of writeOnly and password properties are masked, and found in other values", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      login: { $ref: "#/$defs/login" },
      list: {
        type: "array",
        items: { anyOf: [{ type: "number" }, { type: "string", writeOnly: true }] },
      },
    },
    additionalProperties: { format: "password" },
    $defs: { login: { allOf: [{ properties: { word: { format: "password" } } }] } },
  };
  const described = { schema, root: schema };
  const given = {
    login: { word: "hunter2!", user: "ada" },
    list: ["listed-secret"],
    more: "more-secret",
  };
  const answer = {
    text: "ada logged in with hunter2! and listed-secret, more-secret",
    nested: { apiKey: { first: "k-first", numbers: [7] } },
    later: "k-first was used",
    inText: '{"token": "in-a-text-1"}',
    again: "in-a-text-1",
  };
  const secrets = new Secrets(none, []);
  secrets.learn(given, described);
  secrets.learn(answer);
  assert.equal(secrets.mask(given, described), {
    login: { word: MASK, user: "ada" },
    list: [MASK],
    more: MASK,
  });
  assert.equal(secrets.mask(answer), {
    text: `ada logged in with ${MASK} and ${MASK}, ${MASK}`,
    nested: { apiKey: { first: MASK, numbers: [MASKED_NUMBER] } },
    later: `${MASK} was used`,
    inText: `{"token": "${MASK}"}`,
    again: MASK,
  });
});

test("members that patterns and conditions of a schema describe are masked as those of properties", () => {
  const hidden = { type: "string", writeOnly: true };
  const schema: JsonObject = {
    type: "object",
    patternProperties: { "^x-": hidden },
    dependentSchemas: { open: { properties: { word: hidden } } },
    properties: {
      list: { type: "array", contains: hidden },
      inner: { unevaluatedProperties: hidden },
    },
  };
  const secrets = new Secrets(none, []);
  const described = { schema, root: schema };
  const value = { "x-a": "first-one", open: 1, word: "second-one", list: ["third-one"] };
  secrets.learn(value, described);
  assert.equal(secrets.mask(value, described), {
    "x-a": MASK,
    open: 1,
    word: MASK,
    list: [MASK],
  });
  assert.equal(secrets.mask({ inner: { a: "fourth" } }, described), { inner: { a: MASK } });
  assert.is(secrets.maskText("first-one third-one"), `${MASK} ${MASK}`);
});

test("values of recursive alternatives are masked in a short time", () => {
  const inner = { $ref: "#/$defs/term" };
  const oneOf = ["and", "or", "not"].map((name) => ({ properties: { [name]: inner, of: inner } }));
  const root: JsonObject = { ...inner, $defs: { term: { oneOf } } };
  let value: JsonObject = { and: { password: "hunter2!" } };
  for (let depth = 0; depth < 60; depth++) value = { of: value };
  const masked = new Secrets(none, []).mask(value, { schema: root, root });
  assert.match(JSON.stringify(masked), `{"password":"${MASK}"}`);
});

test("numbers that are secrets are masked in other values and in JSON of texts, and not within other numbers", () => {
  const schema: JsonObject = { properties: { level: { type: "integer", writeOnly: true } } };
  const described = { schema, root: schema };
  const value = { level: 7, pin: 4711, other: 4711, count: 14711, seven: 7 };
  const secrets = new Secrets(none, []);
  secrets.learn(value, described);
  const masked = {
    level: MASKED_NUMBER,
    pin: MASKED_NUMBER,
    other: MASKED_NUMBER,
    count: 14711,
    seven: 7,
  };
  assert.equal(secrets.mask(value, described), masked);
  assert.equal(secrets.mask(masked, described), masked, "what is masked stays so");
  assert.is(
    secrets.maskText(JSON.stringify(value)),
    `{"level":${MASK},"pin":${MASK},"other":${MASK},"count":14711,"seven":7}`,
  );
  assert.is(secrets.maskText("your pin is 4711."), `your pin is ${MASK}.`);
  const measured = { token_count: 2026, tokenExpiresIn: 3600, year: 2026, text: "3600 s in 2026" };
  secrets.learn(measured);
  assert.equal(secrets.mask(measured), {
    ...measured,
    token_count: MASKED_NUMBER,
    tokenExpiresIn: MASKED_NUMBER,
  });
  const named = new Secrets(none, []);
  const items = { credentials: { items: [471_123] }, secrets: { account: 815_815 } };
  named.learn(items);
  assert.is(named.maskText("471123, 815815"), `${MASK}, ${MASK}`, "these names measure nothing");
  const text = new Secrets(none, []);
  text.learn({ pin: "4711" });
  assert.equal(text.mask({ code: 4711, price: 19.4711 }), { code: MASKED_NUMBER, price: 19.4711 });
  const year = new Secrets(none, []);
  year.learn({ pin: 2026 });
  const dated = '{"price":19.2026,"day":"2026-11-29","version":"1.2026.0"}';
  assert.is(year.maskText(dated), dated, "parts of other numbers and of dates are none");
  const inText = new Secrets(none, []);
  inText.learn('{"cvv": 12}');
  assert.is(inText.maskText('{ "cvv": 12, "n": 12 }'), `{ "cvv": ${MASK}, "n": 12 }`);
});

test("texts that are secrets by their form are masked without a name", () => {
  const secrets = new Secrets(none, []);
  const masked = [
    `Authorization: Bearer abc.def-123`,
    `postgres://user:pass-word@host/db`,
    `ghp_${"a1".repeat(18)}`,
    `sk-${"a".repeat(24)}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`,
    `AKIAABCDEFGHIJKLMNOP`,
    `password=hunter2 rest`,
    `https://a/?api_key=abcdef&q=1`,
  ].map((text) => secrets.maskText(text));
  assert.equal(masked, [
    `Authorization: Bearer ${MASK}`,
    `postgres://user:${MASK}@host/db`,
    MASK,
    MASK,
    MASK,
    MASK,
    `password=${MASK} rest`,
    `https://a/?api_key=${MASK}&q=1`,
  ]);
});

test("a short secret is masked as a word, and hostile texts are masked in a short time", () => {
  const secrets = new Secrets(none, ["ab"]);
  assert.is(secrets.maskText("ab cabin ab."), `${MASK} cabin ${MASK}.`);
  for (const piece of ["eyJ-", "://a:", "-----BEGIN ", "Bearer ", "password=", "token: "]) {
    secrets.maskText(piece.repeat(100_000));
  }
  const many = new Secrets(none, []);
  many.learn(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`token ${n}`, `value-${n}`])),
  );
  assert.equal(many.mask({ token: "value-4999" }), { token: MASK });
});

test.run();
