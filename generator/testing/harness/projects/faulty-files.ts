import type { FileLayer } from "../../../7-apply/file-layer.js";

/** Thrown in place of a call, as if the process had been killed there: no code after it runs on the disk. */
export class Killed extends Error {}

export interface Fault {
  /** Number of the call that meets the fault, from 1. */
  readonly at: number;
  /** `is killed half-way`: a file that is being written is left with half of its content. */
  readonly kind: "fails once" | "fails for good" | "is killed" | "is killed half-way";
  /** Error code of a call that fails; ENOSPC unless it is given. */
  readonly code?: string;
  /** Which calls count; all unless it is given. */
  readonly of?: "writing calls" | "renames";
}

const WRITING_CALLS: ReadonlySet<string> = new Set<keyof FileLayer>([
  "create",
  "rename",
  "unlink",
  "makeFolder",
  "removeFolder",
  "syncFile",
  "syncFolder",
]);

/** A file layer that meets a fault at one of its calls. */
export function faulty(files: FileLayer, fault: Fault): { files: FileLayer; calls: () => number } {
  let calls = 0;
  const meet = (name: string, parameters: readonly unknown[]): void => {
    if (fault.of === "writing calls" && !WRITING_CALLS.has(name)) return;
    if (fault.of === "renames" && name !== "rename") return;
    calls++;
    if (calls < fault.at || (calls > fault.at && fault.kind === "fails once")) return;
    if (calls === fault.at && fault.kind === "is killed half-way")
      writeHalf(files, name, parameters);
    if (fault.kind.startsWith("is killed")) throw new Killed();
    const { code = "ENOSPC" } = fault;
    throw Object.assign(new Error(`${code}: ${name}`), {
      code,
      syscall: name,
      path: parameters[0],
    });
  };
  const proxy = new Proxy(files, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...parameters: unknown[]): unknown => {
        meet(String(name), parameters);
        return Reflect.apply(method, target, parameters);
      };
    },
  });
  return { files: proxy, calls: () => calls };
}

function writeHalf(files: FileLayer, name: string, parameters: readonly unknown[]): void {
  const [path, content] = parameters;
  if (name !== "create" || typeof path !== "string" || !(content instanceof Uint8Array)) return;
  files.create(path, content.subarray(0, Math.floor(content.length / 2)));
}
