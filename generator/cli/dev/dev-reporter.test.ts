import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../../model/diagnostic.js";
import { parseCommandLine } from "../options.js";
import { Reporter } from "../report/reporter.js";
import { DevReporter } from "./dev-reporter.js";

function problem(severity: "error" | "warning", message: string): Diagnostic {
  const place = { file: "mcp.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 };
  return { ...place, severity, code: "MW0000", message };
}

test("a warning is reported once, and again only after a run without errors that did not have it", () => {
  let output = "";
  const terminal = {
    out: () => {},
    err: (text: string) => void (output += text),
    env: {},
    cwd: "/",
    color: { out: false, err: false },
  };
  const parsed = parseCommandLine(["dev"]);
  const invocation = "invocation" in parsed ? parsed.invocation : undefined;
  assert.ok(invocation);
  const options = {
    format: "text",
    quiet: false,
    color: false,
    paths: { folder: "/", repository: "/" },
  } as const;
  const reporter = new Reporter(terminal, options);
  const dev = new DevReporter({ invocation, terminal, folder: "/", reporter });
  const run = (...found: Diagnostic[]): string => {
    output = "";
    dev.generation.reporter.diagnostics(found, new Map());
    return output;
  };
  const warning = problem("warning", "not so good");
  assert.match(run(warning), "not so good");
  assert.is(run(warning), "");
  // A manifest is empty for a moment while it is being saved, so that no warning can be found in it.
  assert.match(run(problem("error", "no manifest")), "no manifest");
  assert.is(run(warning), "");
  assert.is(run(), "");
  assert.match(run(warning), "not so good");
});

test.run();
