import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The behaviour of a stand-in. */
export interface StandInAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly status?: number;
}

/** How a stand-in was run. */
export interface SeenRun {
  /** The program that it replaces, and its arguments. */
  readonly command: readonly string[];
  /** The environment, without `PATH` and the variables that systems add. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which it ran. */
  readonly cwd: string;
  readonly stdin: string;
}

const program = fileURLToPath(new URL("./stand-in-program.js", import.meta.url));

/** Replaces all programs that handlers run. Tests run no real one. */
export class StandIn {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param answer The behaviour of all runs until it is changed. */
  static async open(answer: StandInAnswer = {}): Promise<StandIn> {
    const standIn = new StandIn(await mkdtemp(join(tmpdir(), "stand-in-")));
    await standIn.play(answer);
    return standIn;
  }

  /** The option of `createServer` and `createTestContext` that uses it. */
  get command(): [string, ...string[]] {
    return [process.execPath, program, this.#folder];
  }

  /** Sets the behaviour of the next runs. */
  async play(answer: StandInAnswer): Promise<void> {
    await rm(join(this.#folder, "seen.json"), { force: true });
    await writeFile(join(this.#folder, "answer.json"), JSON.stringify(answer));
  }

  /** The last run since the behaviour was set; undefined if there was none. */
  async seen(): Promise<SeenRun | undefined> {
    const text = await readFile(join(this.#folder, "seen.json"), "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as SeenRun);
  }

  /** Removes its files. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
