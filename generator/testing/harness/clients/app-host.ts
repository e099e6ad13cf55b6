import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Frame } from "playwright-core";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import {
  axeSource,
  type ObservedPage,
  type PageBrowser,
  type PageOptions,
} from "./page-browser.js";

/** The client in the window: the bridge of ext-apps, around a frame that may run scripts and nothing else. */
const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
globalThis.show = async ({ html, theme, values, result }) => {
  const frame = document.createElement("iframe");
  frame.title = "App";
  frame.sandbox = "allow-scripts";
  frame.style.width = "100%";
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { serverTools: {} }, { hostContext: { theme } });
  bridge.oncalltool = (call) => callTool(call);
  bridge.onsizechange = ({ height }) => { frame.style.height = height + "px"; };
  const initialized = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await initialized;
  globalThis.bridge = bridge;
  await bridge.sendToolInput({ arguments: values });
  if (result !== undefined) await bridge.sendToolResult(result);
};`;

/** A page of an MCP App, and the call whose result it shows. */
export interface ShownApp {
  readonly html: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly theme?: "light" | "dark";
}

/** Answers a call that the page makes. */
export type AnswerCall = (call: {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}) => unknown;

/** Web pages that show MCP Apps as clients do. */
export class AppHost {
  readonly #server: Server;
  readonly #browser: PageBrowser;

  private constructor(server: Server, browser: PageBrowser) {
    this.#server = server;
    this.#browser = browser;
  }

  static async start(browser: PageBrowser): Promise<AppHost> {
    const { outputFiles } = await build({
      stdin: { contents: HOST, resolveDir: fileURLToPath(packageRoot) },
      ...{ bundle: true, write: false, platform: "browser", format: "esm", charset: "ascii" },
    });
    const html = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
<body><script type="module">${outputFiles[0]!.text.replaceAll("</script", "<\\/script")}</script>`;
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new AppHost(server, browser);
  }

  /** Shows an app, and the result of the call if there is one. */
  async show(
    app: ShownApp,
    answerCall: AnswerCall = () => ({ content: [] }),
    options: PageOptions = {},
  ): Promise<ShownPage> {
    const { port } = this.#server.address() as AddressInfo;
    const opened = await this.#browser.open(`http://127.0.0.1:${port}/`, options);
    await opened.page.exposeFunction("callTool", answerCall);
    await opened.page.waitForFunction("globalThis.show !== undefined");
    await opened.page.evaluate(`show(${JSON.stringify(app)})`);
    return new ShownPage(opened);
  }

  close(): void {
    this.#server.close();
  }
}

/** A page of an MCP App in its client. */
export class ShownPage {
  readonly opened: ObservedPage;

  constructor(opened: ObservedPage) {
    this.opened = opened;
  }

  get frame(): Frame {
    return this.opened.page.frames()[1]!;
  }

  /** Lets the bridge send what it has a method for. */
  async send(method: string, parameters: object): Promise<void> {
    await this.opened.page.evaluate(`bridge.${method}(${JSON.stringify(parameters)})`);
  }

  /** Checks that there were no errors, no requests to elsewhere, and that axe finds no problem in the frame. */
  async assertSound(): Promise<void> {
    assert.equal(this.opened.faults, []);
    await this.frame.evaluate(`${await axeSource()}; undefined`);
    const found = await this.frame.evaluate(`axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`);
    assert.equal(found, []);
  }
}
