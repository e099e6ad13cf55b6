import { suite } from "uvu";
import * as assert from "uvu/assert";
import { gzipSync } from "node:zlib";
import type { RunningHttp } from "../../../../templates/runtime/http/transport.js";
import { createConsent } from "../../../../templates/runtime/consent/consent.js";
import { erased, tool } from "../../../../templates/runtime/samples/server.js";
import { CutWay } from "../../harness/services/cut-way.js";
import {
  PageBrowser,
  withoutChromium,
  type ObservedPage,
} from "../../harness/clients/page-browser.js";
import {
  dependingFields,
  endless,
  everyContent,
  everyField,
  servePage,
  table,
} from "../../harness/services/page-server.js";
import { readBuiltPage } from "../../../model/built-page.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** The page in Chromium, before servers of the runtime: fields, content, cancellation, tokens. */

const test = suite("page");
const servers: RunningHttp[] = [];
let browser: PageBrowser;

async function served(...parameters: Parameters<typeof servePage>): Promise<string> {
  const server = await servePage(...parameters);
  servers.push(server);
  return server.url;
}

test.before(async () => {
  browser = await PageBrowser.start();
});
test.after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

test("the page is one small file, which sends requests only to its server", async () => {
  const { html, policy } = readBuiltPage();
  assert.ok(gzipSync(html).length < 160_000, `${gzipSync(html).length} bytes`);
  assert.not.match(policy, /unsafe|https?:|\*/);
  // Whoever waits for the script, or for a server that is slow, has something to look at.
  assert.match(html.slice(0, html.indexOf("<script")), "Connecting to the server…");
  const url = await served({ tools: [table] });
  const answer = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } });
  assert.is(answer.headers.get("content-security-policy"), `${policy}; frame-ancestors 'none'`);
  assert.match(answer.headers.get("vary") ?? "", /accept/);
  assert.is(await answer.text(), html);
  const stream = await fetch(url, { headers: { accept: "text/event-stream, text/html" } });
  assert.is(stream.status, 405, "a client that wants a stream");
});

test("fields of every kind can be filled in, are checked while typing, and are sent with the call", async () => {
  const opened = await browser.open(await served({ tools: [everyField] }));
  const { page } = opened;
  await opened.goTo("every_field");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("One thing needs attention.").waitFor();
  await page.locator(":focus[aria-invalid=true]").waitFor();
  await page.getByRole("textbox", { name: "text", exact: true }).fill("ab");
  await page.getByText("Expected: at least 3 characters.").waitFor();
  await page.getByRole("textbox", { name: "text", exact: true }).fill("abc");
  await opened.assertSound();
  await page.getByLabel("Long text").fill("one\ntwo");
  await page.getByLabel("code").fill("AB");
  await page.getByText("Expected: a text of the form ^[A-Z]{3}$.").waitFor();
  await page.getByLabel("code").fill("ABC");
  await page.getByLabel("day", { exact: true }).fill("2026-07-28");
  await page.getByLabel("moment").fill("2026-07-28T09:30:00Z");
  await page.getByLabel("mail").fill("ada@example.com");
  await page.getByLabel("address").fill("https://example.com/x");
  await page.getByLabel("count").fill("eleven");
  await page.getByText("Expected: a value of type integer.").waitFor();
  await page.getByLabel("count").fill("7");
  await page.getByLabel("ratio").fill("0.5");
  await page.getByRole("checkbox", { name: "agreed" }).check();
  await page.getByLabel("maybe").selectOption("no");
  await page.getByLabel("colour").selectOption("green");
  await page.getByLabel("size").selectOption("Large");
  await page.getByLabel("Tuesday").check();
  const names = page.getByRole("group", { name: "names" });
  await names.getByRole("button", { name: "Add an item" }).click();
  await names.getByLabel("Item 1").first().fill("Ada");
  await names.getByRole("button", { name: "Add an item" }).click();
  await names.getByRole("button", { name: "Remove Item 2" }).click();
  const point = page.getByRole("group", { name: "point" });
  await point.getByRole("button", { name: "Add point" }).click();
  await point.getByLabel("x").fill("1");
  await point.getByLabel("y").fill("-2e3");
  const labels = page.getByRole("group", { name: "labels" });
  await labels.getByLabel("Name").fill("env");
  await labels.getByRole("button", { name: "Add a member" }).click();
  await labels.getByRole("textbox", { name: "env" }).fill("test");
  const target = page.getByRole("group", { name: "target" });
  await target.getByLabel("Kind").selectOption("By person");
  await target.getByLabel("person").fill("Grace");
  await page.getByLabel("nothing").selectOption("null");
  await page.getByLabel("optional").fill("given");
  await page.getByLabel("free").fill("[1,");
  await page.getByText("This is not JSON.").waitFor();
  await page.getByLabel("free").fill("[1, {}]");
  await opened.assertSound();
  await opened.send();
  await opened.answer.getByRole("tab", { name: "Text" }).click();
  const answer = JSON.parse((await opened.answer.locator("pre").textContent()) ?? "") as object;
  assert.equal(answer, {
    ...{ text: "abc", prose: "one\ntwo", code: "ABC", day: "2026-07-28" },
    ...{ moment: "2026-07-28T09:30:00Z", mail: "ada@example.com" },
    ...{ address: "https://example.com/x", count: 7, ratio: 0.5, agreed: true, maybe: false },
    ...{ colour: "green", size: 2, fixed: "always", days: ["Tuesday"], names: ["Ada"] },
    ...{ point: { x: 1, y: -2000 }, labels: { env: "test" }, target: { person: "Grace" } },
    ...{ nothing: null, optional: "given", free: [1, {}] },
  });
  await opened.close();
});

test("fields that depend on other values or may be null are shown when they apply", async () => {
  const opened = await browser.open(await served({ tools: [dependingFields] }));
  const { page } = opened;
  await opened.goTo("depending_fields");
  const call = page.getByRole("button", { name: "Call", exact: true });
  await page.getByText("1 or more, 9 or less, for example 3 or 5").waitFor();
  await page.getByLabel("country").selectOption("NL");
  await page.getByLabel("postcode").fill("1011 AB");
  await page.getByLabel("country").selectOption("US");
  await page.getByLabel("zip").waitFor();
  assert.is(await page.getByLabel("postcode").count(), 0);
  await call.click();
  assert.is(await page.getByText("This is required.").count(), 4);
  await page.getByLabel("zip").fill("12345");
  await page.getByLabel("card").fill("4111");
  await page.getByLabel("billing").fill("Here");
  const shape = page.getByRole("group", { name: "shape" });
  await shape.getByLabel("Kind", { exact: true }).selectOption("square");
  await shape.getByLabel("side").fill("x");
  await page.getByText("Expected: a value of type number.").waitFor();
  await shape.getByLabel("side").fill("2");
  await page.getByLabel("Latitude").fill("52.4");
  await page.getByLabel("Longitude").fill("4.9");
  const pair = page.getByRole("group", { name: "place" });
  assert.is(await pair.getByRole("button", { name: "Add an item" }).count(), 0);
  const headers = page.getByRole("group", { name: "headers" });
  await headers.getByLabel("Name").fill("other");
  assert.is(await headers.getByRole("button", { name: "Add a member" }).isDisabled(), true);
  await headers.getByLabel("Name").fill("x-one");
  await headers.getByRole("button", { name: "Add a member" }).click();
  await headers.getByRole("textbox", { name: "x-one" }).fill("1");
  const text = page.getByRole("textbox", { name: "note" });
  await text.fill("one");
  await text.press("Shift+Enter");
  await text.pressSequentially("two");
  const count = page.getByLabel("count", { exact: true });
  await count.fill("9007199254740993");
  await page.getByText("This page cannot send this number exactly.").waitFor();
  await count.fill("9");
  await opened.assertSound();
  await opened.send();
  await opened.answer.getByRole("tab", { name: "Text" }).click();
  const answer = JSON.parse((await opened.answer.locator("pre").textContent()) ?? "") as object;
  assert.equal(answer, {
    ...{ maybe: null, country: "US", postcode: "1011 AB", zip: "12345", card: "4111" },
    ...{ billing: "Here", shape: { kind: "square", side: 2 }, place: [52.4, 4.9] },
    ...{ headers: { "x-one": "1" }, note: "one\ntwo", count: 9 },
  });
  await opened.close();
});

test("content of every kind is shown in its own form", async () => {
  const url = await served({ tools: [everyContent, table] });
  const opened = await browser.open(url);
  const { page } = opened;
  await opened.goTo("every_content");
  const answer = await opened.send();
  await answer.getByText("plain", { exact: true }).waitFor();
  await answer.getByRole("tab", { name: "Markdown" }).click();
  await answer.getByRole("heading", { name: "Heading" }).waitFor();
  assert.is(
    await answer.getByRole("link", { name: "there" }).getAttribute("rel"),
    "noopener noreferrer nofollow",
  );
  await answer.getByRole("columnheader", { name: "a", exact: true }).waitFor();
  await answer.getByRole("img", { name: "Image of type image/png" }).waitFor();
  assert.is(await page.evaluate(`document.querySelector("img.content-image").naturalWidth`), 1);
  assert.is(await answer.locator("audio").count(), 1);
  await answer.getByText("sample://inside").waitFor();
  await answer.getByRole("link", { name: "Download" }).waitFor();
  await opened.assertSound();
  await answer.getByRole("tab", { name: "curl" }).click();
  assert.match((await answer.locator("pre").textContent()) ?? "", /^curl http.*--data-raw/s);
  await opened.goTo("table");
  await (await opened.send()).getByRole("cell", { name: "Oslo" }).waitFor();
  await opened.close();
});

test("a call shows its progress and can be cancelled", async () => {
  const opened = await browser.open(await served({ tools: [endless] }));
  await opened.goTo("endless");
  await opened.page.getByRole("button", { name: "Call", exact: true }).click();
  await opened.answer.getByText("1 / 4").waitFor();
  await opened.answer.getByText("one of four").waitFor();
  await opened.answer.getByText("waiting").waitFor();
  await opened.assertSound();
  await opened.page.getByRole("button", { name: "Cancel" }).click();
  await opened.answer.getByText("Cancelled.").waitFor();
  await opened.close();
});

test("after a refused token the page asks for another one", async () => {
  let allowed = "first";
  const url = await served({ tools: [table] }, ({ token }) =>
    token === allowed ? { principal: "ada", scopes: [] } : undefined,
  );
  const opened = await browser.open(url);
  const { page } = opened;
  await page.getByRole("heading", { name: "This server asks for a token" }).waitFor();
  await opened.assertSound();
  const give = async (token: string): Promise<void> => {
    await page.getByLabel("Bearer token").fill(token);
    await page.keyboard.press("Enter");
  };
  await give("wrong");
  await page.getByRole("heading", { name: "The server refused this token" }).waitFor();
  await give("first");
  await opened.goTo("table");
  allowed = "second";
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("heading", { name: "The server refused this token" }).waitFor();
  await give("second");
  const answer = await opened.send();
  await answer.getByRole("tab", { name: "curl" }).click();
  const command = (await answer.locator("pre").textContent()) ?? "";
  assert.match(command, /Bearer \$TOKEN/);
  assert.not.match(command, /second/);
  await opened.assertSound();
  await opened.close();
});

/** Schemas that no careful person writes, and that a form must outlive. */
const ODD_SCHEMAS: Readonly<Record<string, unknown>> = {
  anything: true,
  nothing: false,
  no_type: { description: "Whatever." },
  of_itself: { $ref: "#/$defs/node" },
  in_a_circle: { $ref: "#/$defs/first" },
  to_nowhere: { $ref: "#/$defs/gone" },
  badly_encoded: { $ref: "#/$defs/%zz" },
  of_elsewhere: { $ref: "https://attacker.example/schema.json" },
  wrong_keywords: { type: 7, enum: "a", properties: [], required: "x", items: 3, oneOf: {} },
  unknown_type: { type: "bogus" },
  no_choice: { enum: [] },
  bad_pattern: { type: "string", pattern: "(" },
  many_choices: { enum: Array.from({ length: 5_000 }, (_, index) => `choice ${index}`) },
  many_variants: {
    oneOf: Array.from({ length: 300 }, (_, index) => ({
      type: "object",
      title: `Variant ${index}`,
    })),
  },
  deep: Array.from({ length: 60 }).reduce<object>(
    (inner) => ({ type: "object", properties: { inner }, required: ["inner"] }),
    { type: "string" },
  ),
  constructor: { type: "string", default: { not: "a text" } },
  all_of_itself: { $ref: "#/$defs/again" },
  half: { type: "string", title: "half \ud800" },
};

test("the page keeps working with unusual schemas and unusual answers of the server", async () => {
  const answering = tool(
    "odd",
    erased(() => [
      { type: "hologram", data: 7 },
      { type: "text" },
      { type: "image", mimeType: "image/png", data: "not base64!" },
      { type: "text", text: "long ".repeat(200_000) },
    ]),
  );
  const inputSchema = {
    type: "object",
    properties: ODD_SCHEMAS,
    $defs: {
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] },
      first: { $ref: "#/$defs/second" },
      second: { $ref: "#/$defs/first" },
      again: { allOf: [{ $ref: "#/$defs/again" }, { type: "string" }] },
    },
  };
  const odd = { ...answering, definition: { ...answering.definition, inputSchema } } as never;
  const opened = await browser.open(await served({ tools: [odd, table] }));
  await opened.goTo("odd");
  const { page } = opened;
  for (const name of Object.keys(ODD_SCHEMAS).filter((one) => one !== "half")) {
    await page.getByText(name, { exact: true }).first().waitFor();
  }
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await opened.goTo("table");
  await (await opened.send()).getByText("Oslo").waitFor();
  assert.equal(opened.faults, []);
  await opened.close();
});

test("the page reports a server that ends during a call, and one that cannot be reached", async () => {
  const way = await CutWay.to(await served({ tools: [endless, table] }));
  const opened = await browser.open(way.url);
  await opened.goTo("endless");
  await opened.page.getByRole("button", { name: "Call", exact: true }).click();
  await opened.answer.getByText("1 / 4").waitFor();
  way.cut();
  await opened.answer.getByRole("alert").waitFor();
  await opened.goTo("table");
  await opened.page.getByRole("button", { name: "Call", exact: true }).click();
  await opened.answer.getByRole("alert").waitFor();
  await opened.close();
});

test("a thousand tools are listed and can be searched", async () => {
  const tools = Array.from({ length: 1_000 }, (_, index) =>
    tool(
      `tool_${index}`,
      erased(() => `answer ${index}`),
      { properties: { of: { type: "string" } } },
    ),
  );
  const opened = await browser.open(await served({ tools }));
  const { page } = opened;
  await page.getByRole("searchbox").waitFor();
  const links = page.getByRole("navigation").getByRole("link");
  await links.nth(999).waitFor();
  assert.is(await links.count(), 1_000);
  await page.getByRole("searchbox").fill("TOOL_777 the");
  await page.getByText("1 found").waitFor();
  await opened.goTo("tool_777");
  await (await opened.send()).getByText("answer 777").waitFor();
  await opened.close();
});

test("the page can be used with the keyboard alone", async () => {
  const opened = await browser.open(await served({ tools: [everyField, table] }));
  const { page } = opened;
  await page.getByRole("searchbox").waitFor();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("/");
  await page.keyboard.type("table");
  await press("Tab", "Enter");
  await page.getByRole("heading", { level: 1, name: "table" }).waitFor();
  // The page moves the focus there once it has drawn the item.
  await page.locator("main:focus").waitFor();
  await press("Tab", "Enter");
  await opened.answered();
  for (let count = 0; count < 10; count++) {
    await press("Tab");
    if ((await page.locator(":focus[role=tab]").count()) > 0) break;
  }
  await press("ArrowRight");
  await opened.answer.locator("pre").waitFor();
  assert.match((await opened.answer.locator("pre").textContent()) ?? "", /structuredContent/);
  await opened.close();
});

/** A tool with every mark, and a question that fits on no line. */
const longGroup = "x".repeat(60);
const marked = tool(
  "marked",
  erased(() => "done"),
  {
    properties: { what: { type: "string", default: "x".repeat(300) } },
    ...{ groups: ["files", longGroup], confirm: ["Burn ", { argument: "what" }, "?"] },
    deprecated: { since: "1.1.0", use: "table", until: "2.0.0" },
  },
);
const marks = [
  "deprecated since 1.1.0, use table, gone in 2.0.0",
  ...["asks a person first", "group files", `group ${longGroup}`],
];

/** What asks people before tools run. */
const consent: Parameters<typeof servePage>[0] = {
  createHandlerRunner: (_definition, options) => createConsent(undefined, options),
};

async function assertNothingStandsOut(page: ObservedPage["page"]): Promise<void> {
  const overflow = await page.evaluate<number>(
    `Math.max(...[document.documentElement, ...document.querySelectorAll("dialog")].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
  );
  assert.ok(overflow <= 0, `${overflow} pixels stand out`);
}

for (const [name, options] of [
  ["dark", { colorScheme: "dark" }],
  ["narrow", { width: 360, height: 640 }],
] as const) {
  test(`${name}: nothing is hidden or hard to read`, async () => {
    const tools = [everyField, everyContent, marked];
    const opened = await browser.open(await served({ ...consent, tools }), options);
    const { page } = opened;
    await page.getByRole("searchbox").waitFor();
    await opened.assertSound();
    await opened.goTo("every_content");
    await opened.send();
    await opened.assertSound();
    await assertNothingStandsOut(page);
    const back = async (): Promise<void> => {
      if (name === "narrow") await page.getByRole("link", { name: "All items" }).click();
    };
    await back();
    await opened.goTo("marked");
    for (const mark of marks) await page.getByText(mark, { exact: true }).waitFor();
    await opened.assertSound();
    await assertNothingStandsOut(page);
    const dialog = page.getByRole("dialog");
    for (const [keys, said] of [
      // Neither a key that is held nor one that is pressed twice agrees.
      [["Enter", "Tab", "Tab", "Enter"], "The user declined"],
      [["Tab", "Enter"], "done"],
    ] as const) {
      await page.getByRole("button", { name: "Call", exact: true }).press("Enter");
      await dialog.getByText(/^Burn "x+/).waitFor();
      await opened.assertSound();
      await assertNothingStandsOut(page);
      for (const key of keys) await page.keyboard.press(key);
      await opened.answered();
      await opened.answer.getByText(said).first().waitFor();
      assert.is(await page.evaluate("document.activeElement.textContent"), "Call");
    }
    await back();
    await opened.goTo("every_field");
    await opened.assertSound();
    await opened.close();
  });
}

runUnless(withoutChromium, "page", test);
