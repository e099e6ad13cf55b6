import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { forgetGroup, watchGroup } from "./group-watch.js";

/** A program that is to run. */
export interface GroupLeader {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** How long a group has between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE_MS = 200;

/**
 * Process groups end with signals to the negative id of their leader; Windows has none. A process that leaves its
 * group by `setsid` outlives the call: Node.js can neither adopt such processes nor name them for certain.
 */
const HAS_GROUPS = process.platform !== "win32";

/** Groups that run, which end with this process, however it ends by itself. */
const running = new Set<ProcessGroup>();
process.on("exit", () => {
  for (const group of running) group.kill("SIGKILL");
});

/** A program without a shell, with all that it starts. The group ends with this process at the latest. */
export class ProcessGroup {
  readonly child: Child;
  #ending: Promise<void> | undefined;

  /** @param isWritten whether something is written to the program's stdin */
  constructor({ program, arguments: values, cwd, env }: GroupLeader, isWritten: boolean) {
    this.child = spawn(program, values, {
      ...{ cwd, env, shell: false, windowsHide: true },
      detached: HAS_GROUPS,
      stdio: [isWritten ? "pipe" : "ignore", "pipe", "pipe"],
    }) as Child;
    running.add(this);
    if (HAS_GROUPS && this.child.pid !== undefined) watchGroup(this.child.pid);
  }

  /** Asks the group to end, and ends what is left of it soon after. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  /** The group has ended: its number may soon be another's. */
  forget(): void {
    running.delete(this);
    if (HAS_GROUPS && this.child.pid !== undefined) forgetGroup(this.child.pid);
  }

  /** @returns whether there was anything to send the signal to */
  kill(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.child;
    if (pid === undefined) return false;
    try {
      return HAS_GROUPS ? process.kill(-pid, signal) : this.child.kill(signal);
    } catch {
      return false;
    }
  }

  async #end(): Promise<void> {
    if (!this.kill("SIGTERM")) return;
    const deadline = Date.now() + GRACE_MS;
    while (this.kill(0) && Date.now() < deadline) await pause(10);
    this.kill("SIGKILL");
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
