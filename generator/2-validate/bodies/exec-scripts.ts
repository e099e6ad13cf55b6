/** The options of shells and interpreters whose value, the next argument, is a script. */
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

/** The options of interpreters whose value, the next argument, is no code. */
const VALUE_OPTIONS: readonly (readonly [programs: readonly string[], option: RegExp])[] = [
  [["awk", "gawk", "mawk", "nawk"], /^(?:-[vF]|--assign|--field-separator)$/],
];

/** The options of other programs whose value, the next argument or after "=", is code or a program. */
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

/** Programs that join all their arguments to one script. */
const JOINING = ["cmd", "powershell", "pwsh", "ssh"];

/** Programs that run the program that their arguments name. */
const RUNNERS = [
  ...["busybox", "chroot", "doas", "env", "nice", "nohup", "setsid", "stdbuf", "sudo"],
  ...["time", "timeout", "xargs"],
];

/** The text of an item of a command. Undefined if it has a placeholder. */
export type FixedItem = string | undefined;

/** True if a program runs another program, which its arguments name. */
export function isRunner(item: FixedItem): boolean {
  return RUNNERS.includes(programName(item));
}

/** The index of the shell or interpreter that a command runs. -1 if there is none. */
function indexOfInterpreter(items: readonly FixedItem[]): number {
  return items.findIndex(
    (item, index) => (index === 0 || isRunner(items[0])) && isInterpreter(item),
  );
}

/** The shell or interpreter that reads its stdin as code, because no argument is a script. Undefined if there is none. */
export function readerOfCode(items: readonly FixedItem[]): string | undefined {
  const start = indexOfInterpreter(items);
  if (start === -1) return undefined;
  const program = programName(items[start]);
  const rest = items.slice(start + 1);
  const values = lookUp(VALUE_OPTIONS, program);
  const operands = rest.filter(
    (item, at) => (item === undefined || !/^-./.test(item)) && !isValueOf(values, rest[at - 1]),
  );
  // A single operand is the host of ssh, and no script: the shell on that host reads stdin.
  if (JOINING.includes(program)) return operands.length <= 1 ? program : undefined;
  const hasScript = rest.some(
    (item) => item !== undefined && optionOf(program)?.test(item) === true,
  );
  if (hasScript) return undefined;
  const asksForInput = rest.some((item) => item !== undefined && /^-[A-Za-z]*s$/.test(item));
  const [script = "-"] = operands;
  return asksForInput || script === "-" || script === "/dev/stdin" ? program : undefined;
}

/** The items of a command that are code or choose the code that runs, and the program that reads them. */
interface ScriptItems {
  readonly program: string;
  readonly indexes: readonly number[];
}

/**
 * Finds the items of a command that are code or choose the code that runs.
 *
 * @param items the fixed text of each
 * @param beginnings the fixed text with which each begins
 */
export function scriptItems(
  items: readonly FixedItem[],
  beginnings: readonly string[],
): ScriptItems | undefined {
  const start = indexOfInterpreter(items);
  if (start === -1) return codeOfOptions(items, beginnings);
  const program = programName(items[start]);
  const rest = items.map((_item, index) => index).slice(start + 1);
  if (JOINING.includes(program)) return { program, indexes: rest };
  const values = lookUp(VALUE_OPTIONS, program);
  const script = rest.slice(0, lengthOfScript(program, items.slice(start + 1)));
  const further = rest.slice(script.length).filter((index) => {
    return isValueOf(optionOf(program), items[index - 1]);
  });
  const isValue = (index: number): boolean => isValueOf(values, items[index - 1]);
  return { program, indexes: [...script.filter((index) => !isValue(index)), ...further] };
}

/** Finds the items that are code because of an option, such as the item after `-exec` of `find`. */
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
    if (!isValueOf(option, items[index - 1])) return [];
    const run = RUNS_COMMAND.includes(program) ? interpreterItems(items.slice(index)) : [];
    return [index, ...run.map((at) => index + at)];
  });
  return { program, indexes };
}

/** Programs whose option is followed by a whole command. */
const RUNS_COMMAND = ["find", "fd", "fdfind"];

/** The indexes of the items that are code in the command that a program such as `find` runs. */
function interpreterItems(command: readonly FixedItem[]): readonly number[] {
  return scriptItems(command, [])?.indexes ?? [];
}

/** True if the item before is an option, so that the next item is its value. */
function isValueOf(option: RegExp | undefined, before: FixedItem): boolean {
  return option !== undefined && before !== undefined && option.test(before);
}

/** True if a program reads code from its arguments. */
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

/** The number of items up to the script, with it: the item after a script option, or the first that is no option. */
function lengthOfScript(program: string, items: readonly FixedItem[]): number {
  const option = optionOf(program);
  const values = lookUp(VALUE_OPTIONS, program);
  const end = items.findIndex(
    (item, index) =>
      item !== undefined && !/^[-+]./.test(item) && !isValueOf(values, items[index - 1]),
  );
  const script = items.findIndex((item) => item !== undefined && option?.test(item) === true);
  const isFile = script === -1 || (end !== -1 && end < script);
  if (!isFile) return script + 2;
  return end === -1 ? items.length : end + 1;
}
