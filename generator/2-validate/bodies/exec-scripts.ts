/** What programs read as code: shells, and interpreters that take a script as an argument. */

/** The options behind which a script stands. */
const SCRIPT_OPTIONS: readonly (readonly [programs: readonly string[], option: RegExp])[] = [
  [
    ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh"],
    /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/,
  ],
  [["node", "nodejs", "bun", "deno"], /^(?:-[a-z]*[ep][a-z]*|--eval|--print|eval)$/],
  [["python", "python3", "pypy3"], /^-[A-Za-z]*c$/],
  [["perl", "ruby"], /^-[A-Za-z]*[eE]$/],
  [["php"], /^-[rBRE]$/],
];

/** Programs that put all their arguments together to a script. */
const JOINING = ["cmd", "powershell", "pwsh", "ssh"];

/** Programs that run the program that their arguments name. */
const RUNNERS = [
  ...["busybox", "chroot", "doas", "env", "nice", "nohup", "setsid", "stdbuf", "sudo"],
  ...["time", "timeout", "xargs"],
];

/** An item of a command: a text, or undefined where it has a placeholder. */
export type FixedItem = string | undefined;

/** Whether a program runs another one, which its arguments name. */
export function isRunner(item: FixedItem): boolean {
  return RUNNERS.includes(programName(item));
}

/** Where the shell or the interpreter stands that a command runs; -1 where there is none. */
function interpreterIn(items: readonly FixedItem[]): number {
  return items.findIndex(
    (item, index) => (index === 0 || isRunner(items[0])) && isInterpreter(item),
  );
}

/** The shell or the interpreter that takes its stdin for code: it gets no script by its arguments. */
export function readerOfCode(items: readonly FixedItem[]): string | undefined {
  const start = interpreterIn(items);
  if (start === -1) return undefined;
  const program = programName(items[start]);
  const rest = items.slice(start + 1);
  const operands = rest.filter((item) => item === undefined || !/^-./.test(item));
  // A host, whose shell reads what is written to it, is no script.
  if (JOINING.includes(program)) return operands.length <= 1 ? program : undefined;
  const hasScript = rest.some(
    (item) => item !== undefined && optionOf(program)?.test(item) === true,
  );
  if (hasScript) return undefined;
  const asksForInput = rest.some((item) => item !== undefined && /^-[A-Za-z]*s$/.test(item));
  const [script = "-"] = operands;
  return asksForInput || script === "-" || script === "/dev/stdin" ? program : undefined;
}

/** Which items of a command are code, or decide which code runs, and the program that reads them. */
export function scriptItems(
  items: readonly FixedItem[],
): { readonly program: string; readonly indexes: readonly number[] } | undefined {
  const start = interpreterIn(items);
  if (start === -1) return undefined;
  const program = programName(items[start]);
  const rest = items.map((_item, index) => index).slice(start + 1);
  if (JOINING.includes(program)) return { program, indexes: rest };
  return { program, indexes: rest.slice(0, lengthOfScript(program, items.slice(start + 1))) };
}

/** Whether a program reads code from its arguments. */
export function isInterpreter(item: FixedItem): boolean {
  const program = programName(item);
  return JOINING.includes(program) || optionOf(program) !== undefined;
}

function programName(item: FixedItem): string {
  const file = item?.split(/[/\\]/).at(-1) ?? "";
  return file.replace(/\.exe$/i, "").toLowerCase();
}

function optionOf(program: string): RegExp | undefined {
  return SCRIPT_OPTIONS.find(([programs]) => programs.includes(program))?.[1];
}

/** How many items there are up to the script: the one behind its option, or the first that is no option. */
function lengthOfScript(program: string, items: readonly FixedItem[]): number {
  const option = optionOf(program);
  const end = items.findIndex((item) => item !== undefined && !/^[-+]./.test(item));
  const script = items.findIndex((item) => item !== undefined && option?.test(item) === true);
  const isFile = script === -1 || (end !== -1 && end < script);
  if (!isFile) return script + 2;
  return end === -1 ? items.length : end + 1;
}
