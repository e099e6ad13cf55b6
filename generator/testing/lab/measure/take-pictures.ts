import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm } from "../../harness/runner/programs.js";
import {
  PageBrowser,
  type ObservedPage,
  type PageOptions,
} from "../../harness/clients/page-browser.js";
import { startHttp } from "../../harness/clients/project-clients.js";

/** Takes the pictures of the page that the README shows, and writes them beside their examples. */

const examples = fileURLToPath(new URL("examples/", packageRoot));
const size = { width: 1200, height: 720 };
const browser = await PageBrowser.start();

async function picture(
  url: string,
  file: string,
  options: PageOptions,
  prepare: (opened: ObservedPage) => Promise<void>,
): Promise<void> {
  const opened = await browser.open(url, options);
  await prepare(opened);
  // The pointer highlights the element below it.
  await opened.page.mouse.move(0, 0);
  await opened.page.screenshot({ path: join(examples, file) });
  await opened.close();
  console.log(file);
}

async function ofWeather(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-pictures-"));
  const manifest = join(folder, "mcp.yaml");
  const text = await readFile(join(examples, "weather/mcp.yaml"), "utf8");
  await writeFile(manifest, text);
  const program = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));
  const preview = spawn(process.execPath, [program, "preview"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: preview.stdout }), "line")) as [string];
  const url = /http\S+/.exec(line)?.[0] ?? "";
  const call = async (opened: ObservedPage): Promise<void> => {
    await opened.goTo("Get a forecast");
    await opened.page.getByLabel("city").fill("Berlin");
    await opened.send();
  };
  await picture(url, "weather/page-preview.png", size, call);
  await picture(url, "weather/page-preview-problem.png", size, async (opened) => {
    await call(opened);
    await writeFile(manifest, text.replace("title: Get a forecast", "titel: Get a forecast"));
    await opened.page.locator("article .problems").waitFor();
  });
  preview.kill();
  await rm(folder, { recursive: true });
}

/** Serves a project of an example while its pictures are taken. */
async function ofProject(
  example: string,
  take: (url: string) => Promise<void>,
  added = "",
): Promise<void> {
  const folder = await copyUserFiles(join(examples, example), "pictures");
  await appendFile(join(folder, "mcp.yaml"), added);
  await mcpwright(folder, "generate");
  await installShared(folder);
  await npm(folder, "run", "build");
  const server = await startHttp(folder);
  await take(server.url);
  await server.stop();
  await rm(folder, { recursive: true });
}

await ofWeather();
await ofProject("field-guide", async (url) => {
  const dark = { ...size, colorScheme: "dark" } as const;
  await picture(url, "field-guide/page-dark.png", dark, async (opened) => {
    await opened.goTo("分析 CSV");
    await opened.page.getByLabel("file").fill("sales.csv");
    await opened.page.getByLabel("operation").selectOption("sum");
    await opened.page.getByLabel("column").fill("amount");
    await opened.send();
  });
  const narrow = { width: 400, height: 720 };
  await picture(url, "field-guide/page-narrow.png", narrow, (opened) => opened.goTo("执行命令"));
});
await ofProject(
  "conformance",
  async (url) => {
    await picture(url, "conformance/page-content.png", size, async (opened) => {
      await opened.goTo("test_multiple_content_types");
      await opened.send();
    });
    await picture(url, "conformance/page-question.png", size, async (opened) => {
      await opened.goTo("test_elicitation_sep1330_enums");
      await opened.page.getByRole("button", { name: "Call", exact: true }).click();
      await opened.page.getByLabel("titledSingle", { exact: true }).selectOption("Second Option");
      await opened.page.getByLabel("First Choice").check();
    });
  },
  "\npage: true\n",
);
await browser.close();
