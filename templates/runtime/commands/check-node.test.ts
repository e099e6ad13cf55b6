import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkNode } from "./check-node.js";

test("an older Node.js is refused with the version that the program needs", () => {
  const { error } = console;
  const messages: unknown[] = [];
  console.error = (text: unknown) => void messages.push(text);
  try {
    for (const version of ["20.19.0", "22.18.9", "22.19.0", "24.0.0"]) {
      checkNode("22.19", "The MCP Inspector", version);
      process.exitCode = 0;
    }
  } finally {
    console.error = error;
  }
  assert.equal(messages, [
    "The MCP Inspector needs Node.js 22.19 or newer; this is 20.19.0",
    "The MCP Inspector needs Node.js 22.19 or newer; this is 22.18.9",
  ]);
});

test.run();
