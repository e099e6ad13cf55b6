import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../../3-normalize/normalize.js";
import { startPreview, type RunningPreview } from "../../../cli/preview/preview-server.js";
import type { ManifestTool } from "../../../model/manifest.js";
import { AppHost, type AnswerCall, type ShownPage } from "../../harness/clients/app-host.js";
import { PageBrowser, withoutChromium } from "../../harness/clients/page-browser.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** Pages of MCP Apps that are made from output schemas, as the bridge of ext-apps shows them in Chromium. */

const text = { type: "string" } as const;
const BAD = [
  `</script><script>window.harmed = true</script><!--`,
  `<img src=x onerror="window.harmed = true">"><svg onload="window.harmed = true">`,
  `javascript:window.harmed=true {{7*7}} safe\u202etxt.exe\u200b\u001b[31m`,
  "long".repeat(100),
].join(" ");

/** A tool whose page is made, with a schema of lists, an object and plain members. */
const TOOLS: readonly ManifestTool[] = [
  {
    name: "forecast",
    title: "Forecast",
    description: "d",
    ui: { file: "auto", prefersBorder: true },
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: { city: { ...text, minLength: 2 }, days: { type: "integer", default: 3 } },
      required: ["city"],
    },
    outputSchema: {
      type: "object",
      properties: {
        place: { ...text, title: "Where", description: "The place that was found." },
        days: { type: "array", items: { $ref: "#/schemas/Day" } },
        cities: {
          type: "array",
          items: { type: "object", properties: { city: text, people: { type: "integer" } } },
        },
        source: { type: "object", properties: { name: text } },
      },
    },
  },
  {
    name: "bad",
    title: BAD,
    description: BAD,
    ui: "auto",
    outputSchema: {
      type: "object",
      properties: {
        [BAD]: { ...text, title: BAD, description: BAD },
        rows: {
          ...{ type: "array", title: BAD, description: BAD },
          items: {
            type: "object",
            properties: { [BAD]: { type: "number", title: BAD }, name: { ...text, title: BAD } },
          },
        },
      },
    },
  },
];

const Day = {
  type: "object",
  properties: { date: { ...text, format: "date" }, high: { type: "number" } },
};

const FORECAST = {
  place: "Bern",
  days: [
    { date: "2026-03-02", high: 11.5 },
    { date: "2026-03-01", high: 9 },
    { date: "2026-03-03", high: -2, note: "snow" },
  ],
  cities: [
    { city: "Bern", people: 134_506 },
    { city: "Zürich", people: 427_721 },
  ],
  source: { name: "Office" },
};

const test = suite("pages that are made from output schemas");
let preview: RunningPreview;
let client: Client;
let browser: PageBrowser;
let host: AppHost;
let shown: ShownPage | undefined;

test.before(async () => {
  preview = await startPreview(process.cwd(), 0);
  const model = normalize({ name: "demo", version: "1.0.0", schemas: { Day }, tools: [...TOOLS] });
  await preview.show({ file: "mcp.yaml", isCurrent: true, diagnostics: [] }, model);
  client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(preview.url)));
  browser = await PageBrowser.start();
  host = await AppHost.start(browser);
});
test.after.each(async () => {
  await shown?.opened.close();
  shown = undefined;
});
test.after(async () => {
  host?.close();
  await browser?.close();
  await client?.close();
  await preview?.close();
});

interface Shown {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly answerCall?: AnswerCall;
  readonly theme?: "light" | "dark";
}

/** Reads the page of a tool from the server, and shows it. */
async function show(name: string, { values = {}, answerCall, ...app }: Shown): Promise<ShownPage> {
  const { contents } = await client.readResource({ uri: `ui://tools/${name}` });
  const [page] = contents as { text: string; mimeType: string; _meta?: object }[];
  assert.is(page?.mimeType, "text/html;profile=mcp-app");
  shown = await host.show({ html: page!.text, values, ...app }, answerCall);
  return shown;
}

const resultOf = (structuredContent: object): object => ({ content: [], structuredContent });

test("members without a name have a label", async () => {
  const nameless = { "": "plain", " ": { "": { a: 1 } }, days: [{ "": 1, date: "2026-03-01" }] };
  const page = await show("forecast", { result: resultOf(nameless) });
  await page.frame.locator(".facts").waitFor();
  assert.match(await page.frame.evaluate<string>("document.body.innerText"), '""');
  await page.assertSound();
});

test("the page is one file of at most 60 kB, with what clients need to show it", async () => {
  const { contents } = await client.readResource({ uri: "ui://tools/forecast" });
  const [page] = contents as { text: string; _meta?: object }[];
  assert.equal(page?._meta, { ui: { prefersBorder: true } });
  const size = gzipSync(page!.text).length;
  assert.ok(size <= 60_000, `${size} bytes`);
  assert.not.match(page!.text, /<(?:script|link|img)[^>]* (?:src|href)="(?!data:)/);
});

for (const theme of ["light", "dark"] as const) {
  test(`an object is a card, lists are tables and charts (${theme})`, async () => {
    const { frame } = await show("forecast", { result: resultOf(FORECAST), theme });
    await frame.locator(".facts").waitFor();
    const seen = await frame.evaluate(`({
      title: document.title,
      card: [...document.querySelectorAll(".facts > div")].map((part) => part.innerText),
      parts: [...document.querySelectorAll("h2")].map((part) => part.innerText),
      heads: [...document.querySelectorAll("table")].map((table) =>
        [...table.querySelectorAll("th")].map((head) => head.innerText)),
      rows: document.querySelectorAll("tbody tr").length,
      charts: [...document.querySelectorAll("svg")].map((svg) => svg.getAttribute("aria-label")),
      bars: document.querySelectorAll("svg rect").length,
      dates: [...document.querySelectorAll("svg:has(polyline) > text")].map((date) => date.textContent),
      ground: getComputedStyle(document.body).backgroundColor,
    })`);
    assert.equal(seen, {
      title: "Forecast",
      card: ["Where\nBern"],
      parts: ["Days", "Cities", "Source"],
      heads: [
        ["Date", "High", "note"],
        ["City", "People"],
      ],
      rows: 5,
      charts: ["High by Date", "People by City"],
      bars: 2,
      dates: ["2026-03-01", "2026-03-03"],
      ground: theme === "light" ? "rgb(246, 247, 249)" : "rgb(17, 20, 24)",
    });
    await shown!.assertSound();
    const height = await shown!.opened.page.evaluate(
      `document.querySelector("iframe").clientHeight`,
    );
    assert.ok(Number(height) > 500, `the frame is ${height} pixels high`);
  });
}

test("a tool that only reads is called again with other arguments, in a frame that may send no forms", async () => {
  const calls: unknown[] = [];
  const answerCall: AnswerCall = (call) => {
    calls.push(call);
    return resultOf({ place: "Basel" });
  };
  const values = { city: "Bern", days: 2 };
  const { frame } = await show("forecast", { values, answerCall, result: resultOf(FORECAST) });
  await frame.getByText("Arguments").click();
  const city = frame.getByRole("textbox", { name: "city" });
  assert.is(await city.inputValue(), "Bern");
  await city.fill("B");
  await frame.getByRole("button", { name: "Call again" }).click();
  await frame.getByText("One thing needs attention.").waitFor();
  assert.equal(calls, []);
  await city.fill("Basel");
  await frame.getByRole("textbox", { name: "days" }).press("Enter");
  await frame.getByText("Basel", { exact: true }).waitFor();
  assert.equal(calls, [{ name: "forecast", arguments: { city: "Basel", days: 2 } }]);
  await shown!.assertSound();
});

test("a result without structured content, an error and a cancelled call are shown in words", async () => {
  const failed = { isError: true, content: [{ type: "text", text: "No such <b>city</b>." }] };
  const { frame } = await show("forecast", { result: failed });
  await frame.getByText("No such <b>city</b>.").waitFor();
  await shown!.assertSound();
  await shown!.send("sendToolResult", { content: [{ type: "text", text: "Only words" }] });
  await frame.getByText("Only words").waitFor();
  await shown!.send("sendToolCancelled", { reason: "x" });
  await frame.getByText("Cancelled.").waitFor();
  await shown!.assertSound();
});

test("the page says when the host refuses its call", async () => {
  const answerCall = (): never => {
    throw new Error("The user said no");
  };
  const values = { city: "Bern" };
  const { frame } = await show("forecast", { values, answerCall, result: resultOf(FORECAST) });
  await frame.getByText("Arguments").click();
  await frame.getByRole("button", { name: "Call again" }).click();
  await frame.getByText("The user said no").waitFor();
});

test("no text of a schema or a result becomes markup or acts", async () => {
  const row = (value: number): object => ({ [BAD]: value, name: BAD + value, __proto__: null });
  const result = resultOf({
    ...{ [BAD]: BAD, rows: [row(1), row(2), { [BAD]: { [BAD]: BAD }, ["more " + BAD]: [BAD] }] },
    ...{ ["other " + BAD]: { [BAD]: [BAD] }, constructor: BAD },
  });
  const { frame } = await show("bad", { result });
  await frame.locator("table").waitFor();
  const found = await frame.evaluate(`({
    harmed: "harmed" in window,
    elements: document.querySelectorAll(
      "#page :is(script, img, iframe, a, [onerror], [onload])").length,
    scripts: document.scripts.length,
    standsOut: document.documentElement.scrollWidth > innerWidth,
    unseen: /[\\u202e\\u200b\\u001b]/u.test(document.body.innerText),
  })`);
  assert.equal(found, { harmed: false, elements: 0, scripts: 2, standsOut: false, unseen: false });
  await shown!.assertSound();
});

runUnless(withoutChromium, "pages that are made from output schemas", test);
