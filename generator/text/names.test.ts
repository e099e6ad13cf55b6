import { test } from "uvu";
import * as assert from "uvu/assert";
import { itemNames, sharedTypeNames } from "./names.js";

const cases: readonly [name: string, identifier: string, typeName: string, fileName: string][] = [
  ["get_forecast", "getForecast", "GetForecast", "get-forecast"],
  ["getHTTPData", "getHttpData", "GetHttpData", "get-http-data"],
  ["git-commit", "gitCommit", "GitCommit", "git-commit"],
  ["a.b", "aB", "AB", "a-b"],
  ["--help", "help", "Help", "help"],
  ["2fa", "_2fa", "_2fa", "2fa"],
  ["class", "class_", "Class", "class"],
  ["await", "await_", "Await", "await"],
  ["tools", "tools_", "Tools", "tools"],
  ["con", "con", "Con", "con-item"],
  ["tool", "tool", "Tool_", "tool"],
  ["template", "template", "Template_", "template"],
];

for (const [name, identifier, typeName, fileName] of cases) {
  test(`names of ${name}`, () => {
    assert.equal(itemNames(name), { identifier, typeName, fileName });
  });
}

test("names beyond ASCII or without letters get a stable, unique suffix", () => {
  const names = ["日志", "日记", "café", "cafe", "_", "..."].map(
    (name) => itemNames(name).fileName,
  );
  assert.is(new Set(names).size, names.length, names.join());
  for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
  assert.equal(itemNames("日志"), itemNames("日志"));
});

test("types of shared schemas get no name that is already used", () => {
  const names = sharedTypeNames(
    ["City", "city", "Context", "Record", "GetForecastInput", "Tool"],
    ["GetForecastInput"],
  );
  assert.equal(
    [...names.values()],
    ["City", "CitySchema", "ContextSchema", "RecordSchema", "GetForecastInputSchema", "Tool"],
  );
});

test.run();
