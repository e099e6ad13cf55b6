import { test } from "uvu";
import * as assert from "uvu/assert";
import type { EnvVariableModel } from "../../model/server-model.js";
import { envExampleEntry } from "./env-example.js";

const variable: EnvVariableModel = { name: "KEY", type: "string", required: false, secret: false };

function value(of: EnvVariableModel["default"], secret = false): string {
  const entry = envExampleEntry({ ...variable, secret, ...(of !== undefined && { default: of }) });
  return entry.value;
}

test("a default is written to .env.example if every reader of the file reads it the same way", () => {
  assert.is(value("https://a.example/b?"), "'https://a.example/b?'");
  assert.is(value("plain-1.5"), "plain-1.5");
  assert.is(value(8080), "8080");
  assert.is(value("two words"), "'two words'");
  assert.is(value(undefined), "");
});

test("a default that a shell or reader could misread is left out of .env.example", () => {
  for (const odd of ["a'b", "$(id)", "`id`", "a\nEVIL=1", "a\\n", "\u202E"]) {
    assert.is(value(odd), "", JSON.stringify(odd));
  }
  assert.is(value("hunter2", true), "");
});

test("every line of a description is a comment", () => {
  const { comments } = envExampleEntry({
    ...variable,
    description: "a\nB=1\r\n\u2028C=2\u0000",
    type: "number",
    required: true,
  });
  assert.equal(comments, ["a", "B=1", "C=2[U+0000]", "Required, a number."]);
});

test.run();
