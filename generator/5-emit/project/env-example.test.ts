import { test } from "uvu";
import * as assert from "uvu/assert";
import type { EnvVariableModel } from "../../model/server-model.js";
import { envExampleEntry } from "./env-example.js";

const variable: EnvVariableModel = { name: "KEY", type: "string", required: false, secret: false };

function value(of: EnvVariableModel["default"], secret = false): string {
  const entry = envExampleEntry({ ...variable, secret, ...(of !== undefined && { default: of }) });
  return entry.value;
}

test("defaults are written where every reader takes them alike", () => {
  assert.is(value("https://a.example/b?"), "'https://a.example/b?'");
  assert.is(value("plain-1.5"), "plain-1.5");
  assert.is(value(8080), "8080");
  assert.is(value("two words"), "'two words'");
  assert.is(value(undefined), "");
});

test("defaults that a shell or reader could take for something else are left to the server", () => {
  for (const odd of ["a'b", "$(id)", "`id`", "a\nEVIL=1", "a\\n", "\u202E"]) {
    assert.is(value(odd), "", JSON.stringify(odd));
  }
  assert.is(value("hunter2", true), "");
});

test("descriptions stay in comments", () => {
  const { comments } = envExampleEntry({
    ...variable,
    description: "a\nB=1\r\n\u2028C=2\u0000",
    type: "number",
    required: true,
  });
  assert.equal(comments, ["a", "B=1", "C=2[U+0000]", "Required, a number."]);
});

test.run();
