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
  [["awk", "gawk", "mawk", "nawk"], /^(?:-[ef]|--source|--file)$/],
  [["sed", "gsed"], /^(?:-[A-Za-z]*[ef]|--expression|--file)$/],
];

/** The options of interpreters that take a value which is no code, as the next argument. */
const VALUE_OPTIONS: readonly (readonly [programs: readonly string[], option: RegExp])[] = [
  [["awk", "gawk", "mawk", "nawk"], /^(?:-[vF]|--assign|--field-separator)$/],
];

/** The options of other programs whose value, the next argument or behind "=", is code or a program. */
const CODE_OPTIONS: readonly (readonly [programs: readonly string[], option: RegExp])[] = [
  [["find"], /^-(?:exec|execdir|ok|okdir)$/],
  [["fd", "fdfind"], /^(?:-[xX]|--exec|--exec-batch)$/],
  [["git"], /^(?:-c|--exec-path|--upload-pack|--receive-pack|--exec|-x)$/],
  [["tar"], /^(?:-I|--to-command|--use-compress-program|--checkpoint-action|--rsh-command)$/],
  [["rsync"], /^(?:-e|--rsh|--rsync-path)$/],
  [["scp", "sftp"], /^-[oS]$/],
  [["psql", "mysql", "mariadb"], /^(?:-[cefv]|--command|--execute|--file)$/],
  [["vi", "vim", "nvim", "ex", "emacs"], /^(?:-[cS]|--cmd|--eval|--execute)$/],
  [["gdb", "lldb"], /^(?:-ex|-x|-o|--eval-command|--command)$/],
  [["rg"], /^(?:--pre|--hostname-bin)$/],
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
  const values = lookUp(VALUE_OPTIONS, program);
  const operands = rest.filter(
    (item, at) => (item === undefined || !/^-./.test(item)) && !isBehind(values, rest[at - 1]),
  );
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

/** Items that are code, or decide which code runs, and the program that reads them. */
interface ScriptItems {
  readonly program: string;
  readonly indexes: readonly number[];
}

/**
 * Which items of a command are code, or decide which code runs.
 *
 * @param items what is fixed of each
 * @param beginnings the fixed text that each begins with
 */
export function scriptItems(
  items: readonly FixedItem[],
  beginnings: readonly string[],
): ScriptItems | undefined {
  const start = interpreterIn(items);
  if (start === -1) return codeOfOptions(items, beginnings);
  const program = programName(items[start]);
  const rest = items.map((_item, index) => index).slice(start + 1);
  if (JOINING.includes(program)) return { program, indexes: rest };
  const values = lookUp(VALUE_OPTIONS, program);
  const script = rest.slice(0, lengthOfScript(program, items.slice(start + 1)));
  const further = rest.slice(script.length).filter((index) => {
    return isBehind(optionOf(program), items[index - 1]);
  });
  const isValue = (index: number): boolean => isBehind(values, items[index - 1]);
  return { program, indexes: [...script.filter((index) => !isValue(index)), ...further] };
}

/** The items that an option of a program makes code, such as what stands behind `-exec` of `find`. */
function codeOfOptions(
  items: readonly FixedItem[],
  beginnings: readonly string[],
): ScriptItems | undefined {
  const start = items.findIndex(
    (item, at) =>
      (at === 0 || isRunner(items[0])) && lookUp(CODE_OPTIONS, programName(item)) !== undefined,
  );
  const program = programName(items[start]);
  const option = lookUp(CODE_OPTIONS, program);
  if (start === -1 || option === undefined) return undefined;
  const rest = items.map((_item, index) => index).slice(start + 1);
  const indexes = rest.flatMap((index) => {
    const [name = "", ...value] = (beginnings[index] ?? "").split("=");
    if (value.length > 0 && option.test(name)) return [index];
    if (!isBehind(option, items[index - 1])) return [];
    const run = RUNS_COMMAND.includes(program) ? interpreterItems(items.slice(index)) : [];
    return [index, ...run.map((at) => index + at)];
  });
  return { program, indexes };
}

/** Programs whose option is followed by a whole command. */
const RUNS_COMMAND = ["find", "fd", "fdfind"];

/** Which items are code of the command that a program such as `find` runs. */
function interpreterItems(command: readonly FixedItem[]): readonly number[] {
  return scriptItems(command, [])?.indexes ?? [];
}

function isBehind(option: RegExp | undefined, before: FixedItem): boolean {
  return option !== undefined && before !== undefined && option.test(before);
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
  return lookUp(SCRIPT_OPTIONS, program);
}

function lookUp(
  table: readonly (readonly [programs: readonly string[], option: RegExp])[],
  program: string,
): RegExp | undefined {
  return table.find(([programs]) => programs.includes(program))?.[1];
}

/** How many items there are up to the script: the one behind its option, or the first that is no option. */
function lengthOfScript(program: string, items: readonly FixedItem[]): number {
  const option = optionOf(program);
  const values = lookUp(VALUE_OPTIONS, program);
  const end = items.findIndex(
    (item, index) =>
      item !== undefined && !/^[-+]./.test(item) && !isBehind(values, items[index - 1]),
  );
  const script = items.findIndex((item) => item !== undefined && option?.test(item) === true);
  const isFile = script === -1 || (end !== -1 && end < script);
  if (!isFile) return script + 2;
  return end === -1 ? items.length : end + 1;
}
