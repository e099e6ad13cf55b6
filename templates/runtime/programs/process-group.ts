import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { forgetGroup, watchGroup } from "./group-watch.js";

/** The program to start as the leader of a process group. */
export interface GroupLeader {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** The time between SIGTERM and SIGKILL, in milliseconds. */
export const GRACE_MS = 200;

/**
 * Whether the system has process groups; Windows has none. A signal to the negative id of the leader reaches the group.
 * A process that leaves the group with `setsid` is not ended: Node.js has no reliable way to find it.
 */
const HAS_GROUPS = process.platform !== "win32";

/** The running groups, which are killed when this process exits. */
const running = new Set<ProcessGroup>();
process.on("exit", () => {
  for (const group of running) group.kill("SIGKILL");
});

/** A program and all processes that it starts. No shell is used. The group ends with this process at the latest. */
export class ProcessGroup {
  readonly child: Child;
  #ending: Promise<void> | undefined;

  /** @param hasStdin whether this process writes to the program's stdin */
  constructor({ program, arguments: argv, cwd, env }: GroupLeader, hasStdin: boolean) {
    this.child = spawn(program, argv, {
      ...{ cwd, env, shell: false, windowsHide: true },
      detached: HAS_GROUPS,
      stdio: [hasStdin ? "pipe" : "ignore", "pipe", "pipe"],
    }) as Child;
    running.add(this);
    if (HAS_GROUPS && this.child.pid !== undefined) watchGroup(this.child.pid);
  }

  /** Sends SIGTERM to the group, and SIGKILL to processes that still run after `GRACE_MS`. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  /** Must be called when the group has ended, because the system may use its id again. */
  forget(): void {
    running.delete(this);
    if (HAS_GROUPS && this.child.pid !== undefined) forgetGroup(this.child.pid);
  }

  /** Sends a signal to the group; 0 sends none. @returns whether the group has a process */
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
