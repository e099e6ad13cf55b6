import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Lines } from "../../../templates/runtime/stdio/lines.js";
import { LONGEST_MESSAGE, type Recorder } from "../../record/recorder.js";

/** Milliseconds that a server has to end after its client has left, and after a signal. */
const GRACE = 5_000;

/** How a server ended. */
export interface ServerEnd {
  /** Why it could not be started. */
  readonly failure?: string;
  readonly exitCode: number | null;
}

/** A server that is a program, between a client on two streams and a recorder. Bytes are passed on unchanged. */
export class RecordedServer {
  readonly #child: ChildProcess;
  /** Resolves when the program has ended, and everything that it wrote has been passed on. */
  readonly ended: Promise<ServerEnd>;

  /** @param folder the folder in which the program runs */
  constructor(command: readonly string[], folder: string) {
    const [program = "", ...args] = command;
    this.#child = spawn(program, args, {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
      windowsHide: true,
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error: NodeJS.ErrnoException) =>
        resolve({ failure: error.code ?? error.message, exitCode: null }),
      );
      this.#child.once("close", (exitCode) => resolve({ exitCode }));
    });
  }

  /** Passes messages on in both directions until one of both sides ends. */
  connect(input: Readable, output: Writable, recorder: Recorder): void {
    const { stdin, stdout } = this.#child;
    if (stdin === null || stdout === null) return;
    // The program may end while something is written to it; `ended` says so.
    stdin.on("error", () => undefined);
    output.on("error", () => this.stop());
    watch(input, recorder, (text) => recorder.fromClient(text));
    watch(stdout, recorder, (text) => recorder.fromServer(text));
    input.pipe(stdin);
    stdout.pipe(output, { end: false });
    input.once("end", () => this.#stopAfter(GRACE));
    void this.ended.then(() => {
      input.unpipe(stdin);
      input.pause();
    });
  }

  /** Ends the program, first with a request, then at once. */
  stop(): void {
    this.#child.kill("SIGTERM");
    setTimeout(() => this.#child.kill("SIGKILL"), GRACE).unref();
  }

  #stopAfter(milliseconds: number): void {
    const timer = setTimeout(() => this.stop(), milliseconds);
    void this.ended.then(() => clearTimeout(timer));
  }
}

/** Looks at messages. Those that are too long are passed on, too. */
function watch(stream: Readable, recorder: Recorder, take: (text: string) => void): void {
  const lines = new Lines(LONGEST_MESSAGE, {
    take: (line) => take(line.toString()),
    skip: () => recorder.skip(`messages of more than ${LONGEST_MESSAGE} bytes`),
  });
  stream.on("data", (chunk: Buffer) => lines.add(chunk));
}
