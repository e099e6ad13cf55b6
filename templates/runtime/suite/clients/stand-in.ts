import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a stand-in does. */
export interface StandInAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly status?: number;
  /** Prints so many bytes. */
  readonly bytes?: number;
  /** Whether it does not end by itself. */
  readonly isEndless?: boolean;
}

/** What a stand-in was run with. */
export interface SeenRun {
  /** The program that it stands in for, and its arguments. */
  readonly command: readonly string[];
  /** Without `PATH`, and what systems add by themselves. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder, as it was written. */
  readonly cwd: string;
  readonly stdin: string;
}

const program = fileURLToPath(new URL("stand-in-program.js", import.meta.url));

/** Stands in for every program that handlers run: no test runs another. */
export class StandIn {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param answer what each run does, until it is told otherwise */
  static async open(answer: StandInAnswer = {}): Promise<StandIn> {
    const standIn = new StandIn(await mkdtemp(join(tmpdir(), "stand-in-")));
    await standIn.play(answer);
    return standIn;
  }

  /** As `createServer` and `createTestContext` take it. */
  get command(): [string, ...string[]] {
    return [process.execPath, program, this.#folder];
  }

  /** From now on, a run does this. */
  async play(answer: StandInAnswer): Promise<void> {
    await rm(join(this.#folder, "seen.json"), { force: true });
    await writeFile(join(this.#folder, "answer.json"), JSON.stringify(answer));
  }

  /** The last run since it was told what to do; undefined where there was none. */
  async seen(): Promise<SeenRun | undefined> {
    const text = await readFile(join(this.#folder, "seen.json"), "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as SeenRun);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
