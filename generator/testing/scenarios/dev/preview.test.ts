import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { RawClient } from "../../../../templates/runtime/samples/raw-client.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { PageBrowser, withoutChromium } from "../../harness/clients/page-browser.js";

/** `mcpwright preview` as it is published: a manifest alone, in Chromium. */

const test = suite("preview");
const root = fileURLToPath(packageRoot);
let folder: string;
let manifest: string;
let command: ChildProcess;
let url = "";
let browser: PageBrowser | undefined;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-preview-"));
  manifest = join(folder, "mcp.yaml");
  await writeFile(manifest, await readFile(join(root, "examples/weather/mcp.yaml")));
  await startCommand();
  if (withoutChromium === undefined) browser = await PageBrowser.start();
});
async function startCommand(...flags: string[]): Promise<void> {
  const program = join(root, "dist/generator/bundle/main.js");
  command = spawn(process.execPath, [program, "preview", ...flags], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: command.stdout! })) {
    url = /^(http\S+) shows mcp\.yaml/.exec(line)?.[1] ?? "";
    break;
  }
}

test.after(async () => {
  await browser?.close();
  if (command.exitCode === null) command.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function edit(before: string, after: string): Promise<void> {
  const text = await readFile(manifest, "utf8");
  assert.ok(text.includes(before), before);
  await writeFile(manifest, text.replace(before, after));
}

test("the preview refuses pages of other machines", async () => {
  const headers = { origin: "https://attacker.example" };
  assert.is((await fetch(`${url}preview`, { headers })).status, 403);
  assert.is((await fetch(`${url}preview`)).status, 200);
  const { host } = new URL(url);
  for (const hosts of [["attacker.example"], [host, "attacker.example"], ["localhost."]]) {
    const lines = hosts.map((name) => `Host: ${name}\r\n`).join("");
    const answer = await new RawClient(url).sendBytes(
      `GET /preview HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`,
    );
    assert.match(answer, hosts.length > 1 ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 403 /, hosts.join());
  }
  assert.is((await fetch(`${url}elsewhere`)).status, 404);
});

test("mocks answer the calls, and the page shows changes and problems of the manifest", async () => {
  if (browser === undefined) return;
  const opened = await browser.open(url);
  const { page } = opened;
  await opened.goTo("Get a forecast");
  await page.getByLabel("city").fill("Berlin");
  const answer = await opened.send();
  await answer.getByText("Berlin").waitFor();
  await edit("title: Get a forecast", "title: Ask for a forecast");
  await page.getByRole("heading", { name: "Ask for a forecast" }).waitFor();
  assert.is(await page.getByLabel("city").inputValue(), "Berlin");
  await edit("title: Ask for a forecast", "titel: Ask for a forecast");
  await page.getByText("The manifest has errors.").waitFor();
  const problem = page.locator("article .problems");
  await problem.getByText('did you mean "title"?').waitFor();
  await opened.assertSound();
  await edit("titel: Ask for a forecast", "title: Get a forecast");
  await page.getByText("The manifest has errors.").waitFor({ state: "detached" });
  await opened.assertSound();
});

test("the preview serves the skills in the manifest's folder", async () => {
  const plain = await readFile(manifest, "utf8");
  await mkdir(join(folder, "skills/review"), { recursive: true });
  const text = "---\nname: review\ndescription: Reviews a change.\n---\n\nRead tone.md.\n";
  await writeFile(join(folder, "skills/review/SKILL.md"), text);
  await writeFile(join(folder, "skills/review/tone.md"), "Be kind.\n");
  await writeFile(manifest, `${plain}\nskills:\n  - root: skills\n`);
  const { version } = (await (await fetch(`${url}preview`)).json()) as { version: number };
  await fetch(`${url}preview?after=${version}`);
  const connection = new Client({ name: "preview-test", version: "1.0.0" });
  await connection.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  const client = new SkillsClient(connection);
  const [review] = (await client.list()).skills;
  assert.is(review?.frontmatter.description, "Reviews a change.");
  assert.match(JSON.stringify(await client.read(review!, "tone.md")), "Be kind.");
  await connection.close();
  await writeFile(manifest, plain);
});

test("a tool with confirm asks in a dialog before its mock answers", async () => {
  if (browser === undefined) return;
  const [plain, asking] = [
    "title: Get a forecast",
    "title: Agree first\n    groups: [daily]\n    deprecated: {since: 0.1.0}\n    confirm: Ask about {{city}}?",
  ];
  const opened = await browser.open(url);
  const { page } = opened;
  await edit(plain, asking);
  await opened.goTo("Agree first");
  await page.getByText("group daily", { exact: true }).waitFor();
  for (const mark of ["deprecated since 0.1.0", "asks a person first"]) {
    await page.getByRole("list", { name: "Marks" }).getByText(mark, { exact: true }).waitFor();
  }
  await page
    .getByRole("list", { name: "Marks" })
    .getByText(/^\d+ tokens$/)
    .waitFor();
  await page.getByLabel("city").fill("Berlin");
  const dialog = page.getByRole("dialog");
  for (const [button, answer] of [
    ["Decline", "The user declined"],
    ["Agree", "Berlin"],
  ] as const) {
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await dialog.getByText('Ask about "Berlin"?').waitFor();
    await opened.assertSound();
    await dialog.getByRole("button", { name: button }).click();
    await opened.answered();
    await opened.answer.getByText(answer).first().waitFor();
  }
  await edit(asking, plain);
  await page.getByRole("heading", { name: "Get a forecast" }).waitFor();
});

test("a port that another program uses is an error of the command line", async () => {
  const { port } = new URL(url);
  const { status, out, err } = await mcpwright(folder, "preview", "--port", port);
  assert.is(status, 1);
  assert.is(out, "");
  assert.match(err, new RegExp(`^<command line>:1:2 +error MW6005 +port ${port} .*EADDRINUSE`));
});

async function interrupt(): Promise<void> {
  const ended = once(command, "exit");
  command.kill("SIGINT");
  assert.equal(await ended, [130, null]);
}

test("Ctrl-C ends the preview; an open page says so, and connects to the next preview", async () => {
  const opened = await browser?.open(url);
  await opened?.goTo("Get a forecast");
  await interrupt();
  const ended = opened?.page.getByText("The preview has ended.");
  await ended?.waitFor();
  await edit("title: Get a forecast", "title: Fetch a forecast");
  await startCommand("--port", new URL(url).port);
  await opened?.page.getByRole("heading", { name: "Fetch a forecast" }).waitFor();
  await ended?.waitFor({ state: "detached" });
  await opened?.page.getByLabel("city").fill("Berlin");
  await (await opened?.send())?.getByText("Berlin").waitFor();
  await interrupt();
});

test.run();
