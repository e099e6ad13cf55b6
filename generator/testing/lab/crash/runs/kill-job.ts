import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { snapshot } from "../../../harness/projects/project-folder.js";
import { runToEnd, type Injection, type ProcessEnd } from "./process-runs.js";

type Snapshot = Readonly<Record<string, string>>;

/** Figures of a whole run of the script. */
export interface CrashCounts {
  kills: number;
  failures: number;
  /** Runs after an interrupted one that were interrupted too. */
  interruptedRecoveries: number;
}

/** One generation on a real disk, done again and again with another fault. */
export class KillJob {
  private constructor(
    readonly name: string,
    private readonly template: string,
    private readonly work: string,
    private readonly command: (folder: string) => readonly string[],
    private readonly before: Snapshot,
    private readonly after: Snapshot,
  ) {}

  /**
   * @param template folder with the project before the generation
   * @param scratch folder in which to work
   * @param command what node is to run
   */
  static async of(
    name: string,
    template: string,
    scratch: string,
    command: (folder: string) => readonly string[],
  ): Promise<KillJob> {
    const work = join(scratch, "project");
    const job = new KillJob(name, template, work, command, await snapshot(template), {});
    await job.start();
    const end = await job.run();
    if (end.status !== 0) throw new Error(`${name}: ${end.output}`);
    return new KillJob(name, template, work, command, job.before, await snapshot(work));
  }

  /** Lays the project anew. */
  async start(): Promise<string> {
    await rm(this.work, { recursive: true, force: true });
    await mkdir(this.work);
    await cp(this.template, this.work, { recursive: true });
    return this.work;
  }

  run(): Promise<ProcessEnd> {
    return runToEnd(process.execPath, this.command(this.work), { cwd: this.work });
  }

  /** Meets the fault at each call in turn, until a run meets none; throws at the first guarantee that does not hold. */
  async forEachCall(injection: Injection, counts: CrashCounts, stride = 1): Promise<void> {
    for (let at = 1; ; at += stride) {
      await this.start();
      const end = await injection.run(at, this.command(this.work), this.work);
      const place = `${this.name}, ${injection.name}, call ${at}`;
      if (!end.isMet) return this.assertDone(place, end);
      if (injection.kind === "kill") await this.afterKill(injection, at, place, counts);
      else await this.afterFailure(injection, end, place, counts);
      await this.assertCompleted(place);
    }
  }

  private async afterKill(
    injection: Injection,
    at: number,
    place: string,
    counts: CrashCounts,
  ): Promise<void> {
    counts.kills++;
    await this.assertOldOrNew(place);
    if (at % 4 > 0) return;
    const again = await injection.run(1 + (at % 7), this.command(this.work), this.work);
    if (again.isMet) counts.interruptedRecoveries++;
    await this.assertNothingLost(place);
  }

  private async afterFailure(
    { kind, code = "" }: Injection,
    { status, output }: ProcessEnd,
    place: string,
    counts: CrashCounts,
  ): Promise<void> {
    counts.failures++;
    // Where the fault met node itself, before or after our work, there is nothing to be said of our message.
    if (status !== 0 && status !== 4) return this.assertOldOrNew(`${place}: ${output}`);
    const found = withoutOurs(await snapshot(this.work));
    if (status === 0) return assertSame(found, this.after, `${place}: it said that it was done`);
    if (!output.includes(code)) throw new Error(`${place}: ${code} is not told\n${output}`);
    if (kind === "fail") assertSame(found, this.before, `${place}: it said that it failed`);
    else await this.assertOldOrNew(place);
  }

  private async assertDone(place: string, { status, output }: ProcessEnd): Promise<void> {
    if (status !== 0) throw new Error(`${place}: ended with ${status}\n${output}`);
    assertSame(await snapshot(this.work), this.after, place);
  }

  /** Guarantee 12: before the next run, every file is old or new, and no byte of a person's is lost. */
  async assertOldOrNew(place: string): Promise<void> {
    const found = await snapshot(this.work);
    for (const path of new Set([...Object.keys(this.before), ...Object.keys(this.after)])) {
      const text = found[path];
      if (text !== this.before[path] && text !== this.after[path]) {
        throw new Error(`${place}: ${path} is neither old nor new`);
      }
    }
    await this.assertNothingLost(place);
  }

  /** Every file with a mark of a person's is there, as it was or as it becomes. */
  private async assertNothingLost(place: string): Promise<void> {
    const texts = new Set(Object.values(await snapshot(this.work)));
    for (const text of Object.values(this.before)) {
      const mark = /\/\/ mine \w+/.exec(text)?.[0];
      if (mark === undefined) continue;
      const becomes = Object.values(this.after).find((other) => other.includes(mark));
      if (!texts.has(text) && (becomes === undefined || !texts.has(becomes))) {
        throw new Error(`${place}: lost\n${text}`);
      }
    }
  }

  /** Guarantee 12: the next run gives exactly the new tree, and nothing of ours besides. */
  async assertCompleted(place: string): Promise<void> {
    const { status, output } = await this.run();
    if (status !== 0) throw new Error(`${place}: the next run ended with ${status}\n${output}`);
    assertSame(await snapshot(this.work), this.after, `${place}: the next run`);
    const names = await readdir(this.work);
    if (names.includes(".mcpwright")) throw new Error(`${place}: .mcpwright is still there`);
  }
}

/** What a failed or killed run leaves for the next is no part of the project. */
function withoutOurs(tree: Snapshot): Snapshot {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.includes(".mcpwright")));
}

function assertSame(found: Snapshot, wanted: Snapshot, place: string): void {
  const paths = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  const other = [...paths].filter((path) => found[path] !== wanted[path]);
  if (other.length > 0) throw new Error(`${place}: these differ: ${other.join(", ")}`);
}
