import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseCommandLine } from "./options.js";

/** The parsed command line `mcpwright …words`, which must be valid. */
function parsed(...words: string[]) {
  const result = parseCommandLine(words);
  if (result.kind === "wrong") return result.diagnostics.map(({ code }) => code);
  if (result.kind !== "run") return result.kind;
  const { command, positionals, passedOn, flags } = result.invocation;
  return { command, positionals, passedOn, flags: [...flags] };
}

test("dev passes all arguments after -- to the server, even options of its own", () => {
  assert.equal(parsed("dev", "--json", "a.yaml", "--", "--port", "0", "--json", "--", "b"), {
    command: "dev",
    positionals: ["a.yaml"],
    passedOn: ["--port", "0", "--json", "--", "b"],
    flags: ["json"],
  });
  assert.equal(parsed("dev", "--", "--help"), {
    command: "dev",
    positionals: [],
    passedOn: ["--help"],
    flags: [],
  });
  assert.equal(parsed("dev", "--port", "0"), ["MW5002"]);
});

test("for other commands, what follows -- is an argument of the command", () => {
  assert.equal(parsed("validate", "--", "--odd.yaml"), {
    command: "validate",
    positionals: ["--odd.yaml"],
    passedOn: [],
    flags: [],
  });
  assert.equal(parsed("generate", "a.yaml", "--", "b.yaml"), ["MW5004"]);
});

test.run();
