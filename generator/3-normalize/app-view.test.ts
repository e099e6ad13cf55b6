import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AppView } from "../../templates/runtime/apps/app-view.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestTool } from "../model/manifest.js";
import { normalize } from "./normalize.js";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "number" };
const date: JsonObject = { type: "string", format: "date" };

/** What the page of a tool shows. */
function viewOf(tool: Partial<ManifestTool>, schemas: Record<string, JsonObject> = {}): AppView {
  const whole: ManifestTool = { name: "show", description: "d", ui: "auto", ...tool };
  const [app] = normalize({ name: "demo", version: "1.0.0", schemas, tools: [whole] }).resources;
  assert.is(app?.behaviour.kind, "app");
  return (app!.behaviour as { view: AppView }).view;
}

const outputOf = (properties: JsonObject): Partial<ManifestTool> => ({
  outputSchema: { type: "object", properties },
});

/** The axis and the numbers of the chart of a list with these columns. */
function chartOf(properties: JsonObject): string | undefined {
  const rows = { type: "array", items: { type: "object", properties } };
  const chart = viewOf(outputOf({ rows })).members[0]?.chart;
  return chart && `${chart.value.name} over ${chart.axis.name}${chart.dates ? ", dates" : ""}`;
}

test("members have the title of their schema, or their key in words", () => {
  const { members, title } = viewOf(
    outputOf({
      averageLoad: number,
      "x y": text,
      "created-at": { ...text, title: "Made" },
      a_b: {},
    }),
  );
  assert.is(title, "show");
  assert.equal(
    members.map(({ label }) => label),
    ["Average load", "x y", "Made", "A b"],
  );
});

test("the page of a tool shows a list of objects as columns, also through references", () => {
  const Row = { type: "object", properties: { name: text, tags: { type: "array", items: text } } };
  const rows = { type: "array", description: "All.", items: { $ref: "#/schemas/Row" } };
  const { members } = viewOf(outputOf({ rows, names: { type: "array", items: text } }), { Row });
  const columns = [
    { name: "name", label: "Name" },
    { name: "tags", label: "Tags" },
  ];
  assert.equal(members, [
    { name: "rows", label: "Rows", description: "All.", columns },
    { name: "names", label: "Names" },
  ]);
});

test("a chart needs one column of numbers, and one of dates or names", () => {
  assert.is(chartOf({ day: date, note: text, high: number }), "high over day, dates");
  assert.is(chartOf({ city: text, people: { type: ["integer", "null"] } }), "people over city");
  assert.is(chartOf({ city: text, on: { type: "boolean" }, people: number }), "people over city");
  assert.is(chartOf({ city: text, land: text, people: number }), undefined);
  assert.is(chartOf({ from: date, to: date, people: number }), undefined);
  assert.is(chartOf({ city: text, people: number, high: number }), undefined);
  assert.is(chartOf({ city: text, either: { type: ["string", "number"] } }), undefined);
  assert.is(chartOf({ city: text }), undefined);
});

test("only a tool that reads and takes arguments is called again from its page", () => {
  const inputSchema = { type: "object", properties: { city: text } };
  const output = outputOf({ a: text });
  const annotations = { readOnlyHint: true };
  assert.equal(viewOf({ ...output, inputSchema, annotations }).form, inputSchema);
  assert.is(viewOf({ ...output, inputSchema }).form, undefined);
  assert.is(viewOf({ ...output, annotations }).form, undefined);
});

test("a caller who may not use a tool does not get its page", () => {
  const scopes = ["read"];
  const tool: ManifestTool = { name: "a", description: "d", ui: "a.html", scopes };
  const { resources } = normalize({ name: "demo", version: "1.0.0", tools: [tool] });
  assert.equal(resources[0]?.scopes, scopes);
});

test.run();
