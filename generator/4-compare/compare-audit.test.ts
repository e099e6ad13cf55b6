import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { compareAudit, compareTelemetry } from "./compare-audit.js";

function changes(before?: JsonObject, after?: JsonObject): string[] {
  const manifestOf = (audit?: JsonObject): JsonObject => (audit === undefined ? {} : { audit });
  return compareAudit(manifestOf(before), manifestOf(after)).map(
    ({ severity, message }) => `${severity}: ${message}`,
  );
}

test("changes of the audit trail are reported, and defaults are no change", () => {
  assert.equal(changes(), []);
  assert.equal(changes({}, { arguments: "none", durable: false }), []);
  assert.equal(changes({}, undefined), ["warning: calls are not written down any more"]);
  assert.equal(changes(undefined, {}), ["info: each call is written down now"]);
  assert.equal(changes({}, { arguments: "values" }), [
    "info: values of arguments are written down now",
  ]);
  assert.equal(changes({ arguments: "names", durable: true }, {}), [
    "warning: names of arguments are not written down any more",
    "warning: answers do not wait any more until they are written down",
  ]);
});

test("turning `telemetry` on or off is reported", () => {
  const on = { telemetry: true };
  const changed = (before: JsonObject, after: JsonObject): string[] =>
    compareTelemetry(before, after).map(({ rule, at }) => `${rule} at ${at.join(".")}`);
  assert.equal(changed(on, on), []);
  assert.equal(changed({}, { telemetry: false }), []);
  assert.equal(changed({}, on), ["traces-started at telemetry"]);
  assert.equal(changed(on, { telemetry: false }), ["traces-ended at telemetry"]);
  assert.equal(changed(on, {}), ["traces-ended at "]);
});

test.run();
