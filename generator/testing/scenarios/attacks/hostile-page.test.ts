import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startFreeServer, type Answers, type Lists } from "../../harness/services/free-server.js";
import {
  PageBrowser,
  withoutChromium,
  type ObservedPage,
} from "../../harness/clients/page-browser.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** The page in Chromium, before servers that say what nobody should. */

const test = suite("hostile page");
const servers: { readonly close: () => Promise<void> }[] = [];
let browser: PageBrowser;

test.before(async () => {
  browser = await PageBrowser.start();
});
test.after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

async function open(lists: Lists, answers: Answers = {}): Promise<ObservedPage> {
  const server = await startFreeServer(lists, answers);
  servers.push(server);
  return browser.open(server.url);
}

/** Opens the page of a server with a tool for each answer, and calls one after the other. */
async function callAll(
  answers: Answers,
  see: (name: string, opened: ObservedPage) => Promise<void>,
): Promise<void> {
  const tools = Object.keys(answers).map((name) => ({ name, inputSchema: { type: "object" } }));
  const opened = await open({ "tools/list": { tools } }, answers);
  for (const { name } of tools) {
    await opened.goTo(name);
    await opened.send();
    await see(name, opened);
  }
  assert.equal(opened.faults, []);
  await opened.close();
}

/** What would act in a page that takes it for anything but text, deceive who reads it, or break what holds it. */
const BAD = [
  `<script>window.harmed = true</script>`,
  `<img src=x onerror="window.harmed = true">`,
  `"><svg onload="window.harmed = true">`,
  `[press](javascript:window.harmed=true) **bold** ![seen](https://attacker.example/x.png)`,
  `safe\u202etxt.exe\u2066\u200b{{7*7}}\${window.harmed = true}\ud800\u001b[31m`,
  "long".repeat(100),
].join(" ");

async function assertHarmless(opened: ObservedPage): Promise<void> {
  const found = await opened.page.evaluate(`({
    harmed: "harmed" in window,
    elements: document.querySelectorAll(
      "#page :is(script, svg, iframe, [onerror], a[href^='javascript' i], img:not([src^='data:']))",
    ).length,
    standsOut: document.documentElement.scrollWidth > innerWidth,
    unseen: /[\\u202e\\u200b\\ud800]/u.test(document.title + document.body.innerText),
  })`);
  assert.equal(found, { harmed: false, elements: 0, standsOut: false, unseen: false });
  await opened.assertSound();
}

/** A server whose every text is bad. */
const BAD_LISTS: Lists = {
  initialize: {
    serverInfo: {
      ...{ name: BAD, title: BAD, version: BAD, description: BAD },
      websiteUrl: `https://attacker.example/${BAD}`,
      icons: [{ src: "https://attacker.example/icon.png" }, { src: "javascript:1", mimeType: BAD }],
    },
    instructions: BAD,
  },
  "tools/list": {
    tools: [
      {
        ...{ name: BAD, title: BAD, description: BAD, annotations: { title: BAD } },
        icons: [{ src: "https://attacker.example/icon.png" }],
        inputSchema: {
          type: "object",
          properties: {
            [BAD]: { title: BAD, description: BAD, enum: [BAD], enumNames: [BAD], examples: [BAD] },
            map: { type: "object", title: BAD, properties: { [BAD]: { pattern: BAD } } },
          },
        },
      },
    ],
  },
  "resources/list": {
    resources: [{ uri: BAD, name: BAD, title: BAD, description: BAD, mimeType: BAD }],
  },
  "resources/templates/list": {
    resourceTemplates: [{ uriTemplate: `x:{${BAD}}`, name: BAD, description: BAD, mimeType: BAD }],
  },
  "prompts/list": {
    prompts: [{ name: BAD, title: BAD, arguments: [{ name: BAD, title: BAD, description: BAD }] }],
  },
};

test("every string of every list is shown as text", async () => {
  const opened = await open(BAD_LISTS);
  const { page } = opened;
  const links = page.getByRole("navigation").getByRole("link");
  await page.getByRole("heading", { name: "Instructions" }).waitFor();
  await assertHarmless(opened);
  assert.is(await links.count(), 4);
  for (const link of await links.all()) {
    await link.click();
    await link.and(page.locator('[aria-current="page"]')).waitFor();
    await page.getByText("safe⟨U+202E⟩txt.exe").first().waitFor();
    await assertHarmless(opened);
  }
  await opened.close();
});

test("every string of every answer is shown as text", async () => {
  const answers: Answers = {
    content: () => ({
      content: [
        { type: "text", text: BAD },
        { type: "resource_link", uri: `javascript:window.harmed=true//${BAD}`, name: BAD },
        { type: "resource", resource: { uri: BAD, mimeType: "text/html", text: BAD } },
        { type: "resource", resource: { uri: BAD, mimeType: "text/markdown", text: BAD } },
        { type: "resource", resource: { uri: BAD, mimeType: BAD, blob: "AAEC" } },
        { type: "image", mimeType: `image/png" onerror="window.harmed=true`, data: `x" onerror="` },
      ],
    }),
    structured: () => ({ content: [], structuredContent: { [BAD]: BAD, rows: [{ [BAD]: BAD }] } }),
    failure: () => ({ isError: true, content: [{ type: "text", text: BAD }] }),
    error: ({ notify, progress }) => {
      progress({ progress: 1, total: 2, message: BAD });
      notify("notifications/message", { level: "info", logger: BAD, data: BAD });
      notify("notifications/message", { level: "error", data: { [BAD]: BAD } });
      return { error: { code: -32000, message: BAD, data: { [BAD]: BAD } } };
    },
  };
  await callAll(answers, async (_name, opened) => {
    for (const tab of await opened.answer.getByRole("tab", { name: "Markdown" }).all()) {
      await tab.click();
    }
    await assertHarmless(opened);
  });
});

test("every string of every question is shown as text", async () => {
  const requestedSchema = {
    type: "object",
    properties: { [BAD]: { type: "string", title: BAD, description: BAD, default: "given" } },
  };
  const questions: Readonly<Record<string, readonly [string, object]>> = {
    form: ["elicitation/create", { message: BAD, requestedSchema }],
    url: [
      "elicitation/create",
      {
        mode: "url",
        elicitationId: "1",
        message: BAD,
        url: `javascript:${encodeURI("window.harmed=true")}`,
      },
    ],
    web: [
      "elicitation/create",
      {
        mode: "url",
        elicitationId: "1",
        message: BAD,
        url: "https://bank.example@попытка.example/",
      },
    ],
    model: [
      "sampling/createMessage",
      {
        ...{ maxTokens: 1, systemPrompt: BAD },
        messages: [{ role: "user", content: { type: "text", text: BAD } }],
      },
    ],
  };
  const tools = Object.keys(questions).map((name) => ({ name, inputSchema: { type: "object" } }));
  const answers = Object.entries(questions).map(([name, question]) => {
    return [name, ({ ask }) => ask(...question)] as const satisfies [string, Answers[string]];
  });
  const opened = await open({ "tools/list": { tools } }, Object.fromEntries(answers));
  const dialog = opened.page.getByRole("dialog");
  for (const { name } of tools) {
    await opened.goTo(name);
    await opened.page.getByRole("button", { name: "Call", exact: true }).click();
    await dialog.waitFor();
    if (name === "url") await dialog.getByText("it is not opened").waitFor();
    // Who reads it sees where it leads, whatever its name looks like.
    if (name === "web")
      await dialog.getByRole("link", { name: /^Open xn--[\w-]+\.example$/ }).waitFor();
    await assertHarmless(opened);
    await opened.page.keyboard.press("Escape");
  }
  await opened.close();
});

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test("an answer that is too large, too deep or missing is reported, and the page keeps working", async () => {
  const text = (value: string): object => ({ content: [{ type: "text", text: value }] });
  const deep = `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[],"structuredContent":{"a":${nested(20_000)}}}}`;
  const answers: Answers = {
    large: () => text("word ".repeat(2_000_000)),
    many: () => ({ content: Array(20_000).fill({ type: "text", text: "t" }) as unknown[] }),
    deep: () => deep,
    deep_text: () => text(nested(100_000)),
    quotes: () => text(`# ${">".repeat(40_000)}`),
    half: () => ({ content: [{ type: "resource_link", uri: "x:\ud800", name: "half" }] }),
    logs: ({ notify }) => {
      for (let count = 0; count < 5_000; count++) {
        notify("notifications/message", { level: "info", data: `line ${count}` });
      }
      return { content: [] };
    },
    unreadable: () => "{{{",
    nothing: () => `{"jsonrpc":"2.0","id":{{id}},"result":null}`,
  };
  const shown: Readonly<Record<string, string>> = {
    large: "Show all 10,000,000 characters",
    many: "19900 more",
    logs: "line 4999",
    unreadable: "without an answer that can be read",
    nothing: "without an answer that can be read",
  };
  await callAll(answers, async (name, { answer }) => {
    if (name === "quotes") await answer.getByRole("tab", { name: "Markdown" }).click();
    await answer.getByText(shown[name] ?? "Answered in").waitFor();
    if (name !== "deep") return;
    await answer.getByRole("tab", { name: "JSON" }).click();
    await answer.getByText("nested too deeply").waitFor();
  });
});

test("Markdown that is slow to parse is shown nevertheless", async () => {
  for (const instructions of ["*a_".repeat(15_000), ">".repeat(20_000), "[a](".repeat(12_000)]) {
    const opened = await open({ initialize: { instructions } });
    await opened.page.getByRole("heading", { name: "Instructions" }).waitFor();
    await assertHarmless(opened);
    await opened.close();
  }
});

test("a resource that is not listed can be read through a link in an answer", async () => {
  const link = { type: "resource_link", uri: "notes://7", name: "seven" };
  const opened = await open(
    { "tools/list": { tools: [{ name: "link", inputSchema: { type: "object" } }] } },
    {
      link: () => ({ content: [link] }),
      "notes://7": () => ({ contents: [{ uri: "notes://7", text: "the note" }] }),
    },
  );
  await opened.goTo("link");
  await (await opened.send()).getByRole("link", { name: "Open" }).click();
  await (await opened.send("Read")).getByText("the note").waitFor();
  await opened.page.goto(`${opened.page.url().split("#")[0]}#/tool/none`);
  await opened.page.getByRole("heading", { name: "Not listed" }).waitFor();
  await opened.assertSound();
  await opened.close();
});

runUnless(withoutChromium, "hostile page", test);
