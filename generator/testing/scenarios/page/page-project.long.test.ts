import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm } from "../../harness/runner/programs.js";
import {
  PageBrowser,
  withoutChromium,
  type ObservedPage,
} from "../../harness/clients/page-browser.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/**
 * The page of examples/conformance, which asks every question and answers in every kind of content. In short, `page.test.ts`
 * stands for it, with the page of a server that has every kind of item.
 */

const test = suite("page of a project");
const example = fileURLToPath(new URL("examples/conformance/", packageRoot));
let folder: string;
let server: StartedServer;
let browser: PageBrowser;
let opened: ObservedPage;

test.before(async () => {
  folder = await copyUserFiles(example, "page");
  await appendFile(join(folder, "mcp.yaml"), "\npage: true\n");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await npm(folder, "run", "page");
  server = await startHttp(folder);
  browser = await PageBrowser.start();
});
test.before.each(async () => {
  opened = await browser.open(server.url);
});
test.after.each(() => opened.close());
test.after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a tool that asks, answers each question, and gives the text of its answer. */
async function ask(name: string, ...replies: readonly (() => Promise<void>)[]): Promise<string> {
  await opened.goTo(name);
  await opened.page.getByRole("button", { name: "Call", exact: true }).click();
  for (const reply of replies) {
    await opened.page.getByRole("dialog").waitFor();
    await reply();
  }
  await opened.answered();
  return (await opened.answer.locator("pre").first().textContent()) ?? "";
}

function dialog() {
  return opened.page.getByRole("dialog");
}

const fill = (label: string, text: string) => async (): Promise<void> => {
  await dialog().getByRole("textbox", { name: label }).fill(text);
  await dialog().getByRole("button", { name: "Send" }).click();
};

test("forms of questions have their defaults and every kind of choice", async () => {
  const defaults = await ask("test_elicitation_sep1034_defaults", async () => {
    await opened.assertSound();
    await dialog().getByLabel("age").fill("31");
    await dialog().getByRole("button", { name: "Send" }).click();
  });
  assert.match(defaults, /John Doe/);
  assert.match(defaults, /31/);
  const choices = await ask("test_elicitation_sep1330_enums", async () => {
    await dialog().getByLabel("untitledSingle").selectOption("option2");
    await dialog().getByLabel("titledSingle", { exact: true }).selectOption("Second Option");
    await dialog().getByLabel("legacyEnum").selectOption("Option Three");
    await dialog().getByLabel("option1", { exact: true }).check();
    await dialog().getByLabel("Third Choice").check();
    await dialog().getByRole("button", { name: "Send" }).click();
  });
  for (const value of ["option2", "value2", "opt3", "option1", "value3"]) {
    assert.match(choices, new RegExp(value));
  }
});

test("questions of every kind can be answered, declined and dismissed, several in a row", async () => {
  const name = "test_input_required_result_elicitation";
  assert.match(await ask(name, fill("name", "Ada")), /Ada/);
  const declined = await ask(name, () => dialog().getByRole("button", { name: "Decline" }).click());
  const dismissed = await ask(name, () => opened.page.keyboard.press("Escape"));
  for (const answer of [declined, dismissed]) assert.not.match(answer, /Ada/);
  const rounds = ["test_input_required_result_multi_round", fill("name", "Ada")] as const;
  assert.match(await ask(...rounds, fill("color", "green")), /green/);
  const sampled = await ask("test_input_required_result_sampling", fill("Your answer", "Paris"));
  assert.match(sampled, /Paris/);
  const folders = fill("Folders", "file:///one\nfile:///two");
  assert.match(await ask("test_input_required_result_list_roots", folders), /2/);
});

test("progress, logs and changed lists are shown", async () => {
  await opened.goTo("test_tool_with_logging");
  const answer = await opened.send();
  await answer.getByText("Tool processing data").waitFor();
  await opened.goTo("test_trigger_tool_change");
  const switched = opened.page.getByRole("link", { name: "switched_tool" });
  const was = await switched.count();
  await opened.send();
  await switched.first().waitFor({ state: was === 0 ? "attached" : "detached" });
  await opened.assertSound();
});

test("resources can be read, templates filled in, and prompt arguments completed", async () => {
  const { page } = opened;
  await opened.goTo("static_binary");
  await (await opened.send("Read")).getByRole("img").waitFor();
  await opened.goTo("template");
  await page.getByLabel("id").fill("42");
  await (await opened.send("Read")).getByText("42").first().waitFor();
  await opened.goTo("test_prompt_with_arguments");
  await page.getByRole("button", { name: "Get", exact: true }).click();
  await page.getByText("This is required.").first().waitFor();
  await page.getByRole("combobox", { name: "arg1" }).fill("par");
  await page.locator("datalist option[value=paris]").waitFor({ state: "attached" });
  await page.getByRole("combobox", { name: "arg1" }).fill("paris");
  await page.getByRole("combobox", { name: "arg2" }).fill("two");
  await (await opened.send("Get")).getByText("arg1='paris', arg2='two'").waitFor();
  await opened.goTo("test_prompt_with_image");
  await (await opened.send("Get")).getByRole("img").waitFor();
  await opened.assertSound();
});

test("skills are listed with their files, which can be read", async () => {
  const { page } = opened;
  const list = page.locator("nav section[aria-labelledby=list-skill]");
  await list.getByRole("link", { name: "review" }).click();
  await page.getByRole("heading", { level: 1, name: "review", exact: true }).waitFor();
  await page.getByText("Reviews a change and says what to mend first.").first().waitFor();
  // Its text is listed once: as a skill, and not among the resources as well.
  assert.is(
    await page.locator("nav section[aria-labelledby=list-resource] a[href*=SKILL]").count(),
    0,
  );
  await (await opened.send("references/tone.md")).getByText("Answered").waitFor();
  await opened.answer.getByText("Praise what is good.").first().waitFor();
  await opened.assertSound();
});

test("the error of a failed tool is shown", async () => {
  await opened.goTo("test_error_handling");
  await (await opened.send()).getByText("The tool reports an error").waitFor();
  await opened.assertSound();
});

test("the static page works from disk and shows the same items without calls", async () => {
  const file = pathToFileURL(join(folder, "docs/index.html")).href;
  const still = await browser.open(file);
  await still.page.getByText("Catalogue, without calls").waitFor();
  // Resources that a template lists are known to a running server only.
  const links = ({ page }: ObservedPage) =>
    page.locator("nav section:not([aria-labelledby=list-resource]) a").count();
  await still.goTo("test_elicitation");
  await still.page.getByRole("cell", { name: "What the user is asked" }).waitFor();
  assert.is(await still.page.getByRole("button", { name: "Call", exact: true }).count(), 0);
  // One tool may have been switched on meanwhile.
  const skill = still.page.locator("nav section[aria-labelledby=list-skill] a");
  assert.is(await skill.count(), 1);
  const [all, same] = [await links(opened), await links(still)];
  assert.ok(all - same <= 1, `${all} and ${same}`);
  await still.assertSound();
});

runUnless(withoutChromium, "page of a project", test);
