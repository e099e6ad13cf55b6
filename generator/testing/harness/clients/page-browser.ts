import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import * as assert from "uvu/assert";

/** Where Debian and others install Chromium. Its headless shell is first: it takes a third less time, as it has no windows. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const chromiumPath = PLACES.find((path) => existsSync(path));

/** Why tests in a browser are skipped; undefined where they are not. */
export const withoutChromium =
  chromiumPath === undefined
    ? "Chromium is not installed; `apt-get install chromium-headless-shell` installs it"
    : undefined;

/** The time for which a test waits for an element of a page, in milliseconds. */
const patienceMs = 60_000;

export interface PageOptions {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Chromium, and the pages that were opened in it. */
export class PageBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<PageBrowser> {
    // Without a sandbox of its own, which needs privileges that containers lack.
    const options = { executablePath: chromiumPath!, args: ["--no-sandbox"] };
    return new PageBrowser(await chromium.launch(options));
  }

  /** Opens the page at an address, with all that it must not do noted. */
  async open(url: string, options: PageOptions = {}): Promise<ObservedPage> {
    const { colorScheme = "light", width = 1280, height = 800 } = options;
    const context = await this.#browser.newContext({ colorScheme, viewport: { width, height } });
    context.setDefaultTimeout(patienceMs);
    const observed = new ObservedPage(await context.newPage(), new URL(url).origin);
    await observed.page.goto(url);
    return observed;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** A page, with its errors. */
export class ObservedPage {
  readonly page: Page;
  /** Errors, dialogs of scripts, and requests to anywhere but the page's own server. */
  readonly faults: string[] = [];

  constructor(page: Page, origin: string) {
    this.page = page;
    page.on("pageerror", ({ message }) => this.faults.push(`error: ${message}`));
    page.on("console", (entry) => {
      // A server that asks for a token is no fault, though Chromium says so.
      const isRefusal = entry.text().startsWith("Failed to load resource: the server responded");
      if (entry.type() === "error" && !isRefusal) this.faults.push(`console: ${entry.text()}`);
    });
    page.on("dialog", (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.origin !== origin) this.faults.push(`asks ${url.href}`);
    });
  }

  /** Opens an item by its name in the list. */
  async goTo(name: string): Promise<void> {
    const named = this.page.locator(".item-name").getByText(name, { exact: true });
    await this.page.getByRole("navigation").getByRole("link").filter({ has: named }).click();
    await this.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }

  /** The part of the page with the answer to the last operation. */
  get answer(): Locator {
    return this.page.locator("section.answer");
  }

  /** Presses the button that sends the form, and waits for the answer. */
  async send(button = "Call"): Promise<Locator> {
    await this.page.getByRole("button", { name: button, exact: true }).click();
    await this.answered();
    return this.answer;
  }

  async answered(): Promise<void> {
    await this.answer.getByText(/^(?:Answered|Failed|Cancelled)/).waitFor();
  }

  /** Checks that there were no errors so far, and that axe finds no problem of the page. */
  async assertSound(): Promise<void> {
    assert.equal(this.faults, []);
    assert.equal(await this.#accessibilityProblems(), []);
  }

  /** What axe-core finds, a line each. It is run beside the page's policy, not within. */
  async #accessibilityProblems(): Promise<readonly string[]> {
    const session = await this.page.context().newCDPSession(this.page);
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result } = await session.send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      return result.value;
    };
    await evaluate(`${await axeSource()}; undefined`);
    const found = await evaluate(`axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`);
    await session.detach();
    return found as readonly string[];
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** The source of axe-core, which finds problems of accessibility in the page that runs it. */
export function axeSource(): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
}
