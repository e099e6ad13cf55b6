import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "../../../model/json.js";
import { patience } from "../../../../templates/runtime/samples/until.js";

/** What the editor would be asked for; the server must never go to the network for schemas. */
const settings: JsonObject = {
  yaml: {
    validate: true,
    hover: true,
    completion: true,
    format: { enable: false },
    schemaStore: { enable: false },
  },
};

/** The parts of the protocol's messages that this client reads. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A position of the protocol; lines and characters start at 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Finding {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** `yaml-language-server`, the language server behind YAML in most editors, driven over the Language Server Protocol. */
export class LanguageServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number | string, (message: Message) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  private constructor() {
    const path = createRequire(import.meta.url).resolve(
      "yaml-language-server/bin/yaml-language-server",
    );
    this.#process = spawn(process.execPath, [path, "--stdio"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#process.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  /** Starts the server for a folder, given as a `file:` URL. */
  static async start(folder: string): Promise<LanguageServer> {
    const server = new LanguageServer();
    await server.request("initialize", {
      processId: process.pid,
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: "test" }],
      capabilities: {
        workspace: { configuration: true },
        textDocument: {
          completion: { completionItem: { documentationFormat: ["markdown"] } },
          hover: { contentFormat: ["markdown"] },
        },
      },
    });
    server.#send({ method: "initialized", params: {} });
    return server;
  }

  /** Opens a text and returns the first findings that the server publishes for it. */
  open(uri: string, text: string): Promise<Finding[]> {
    const findings = this.#wait(uri);
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    this.#send({ method: "textDocument/didOpen", params: { textDocument } });
    return findings.then(({ params }) => (params as { diagnostics: Finding[] }).diagnostics);
  }

  /** Asks and waits for the result; an error answer is thrown. */
  async request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = this.#wait(id);
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  stop(): void {
    this.#process.kill();
  }

  #wait(key: number | string): Promise<Message> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`the language server is silent about ${key}`));
      const timer = setTimeout(late, patience);
      this.#waiting.set(key, (message) => {
        clearTimeout(timer);
        this.#waiting.delete(key);
        resolve(message);
      });
    });
  }

  #send(message: Message): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Messages come as HTTP-like headers and a body of that many bytes, in pieces of any size. */
  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const header = this.#received.subarray(0, Math.max(end, 0)).toString();
      const length = Number(/Content-Length: (\d+)/i.exec(header)?.[1]);
      const start = end + 4;
      if (end < 0 || this.#received.length < start + length) return;
      const body = this.#received.subarray(start, start + length).toString();
      this.#received = this.#received.subarray(start + length);
      this.#handle(JSON.parse(body) as Message);
    }
  }

  #handle(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined && id !== undefined) this.#waiting.get(id)?.(message);
    else if (method === "textDocument/publishDiagnostics") {
      this.#waiting.get((params as { uri: string }).uri)?.(message);
    } else if (method === "workspace/configuration" && id !== undefined) {
      const { items } = params as { items: readonly { section: string }[] };
      this.#send({ id, result: items.map(({ section }) => settings[section] ?? null) });
    } else if (id !== undefined) this.#send({ id, result: null });
  }
}
