/**
 * Schemas that lead back to themselves, in several alternatives, would have AJV's functions ask the
 * same of the same value again and again, twice as often at each level. Where that can be, each
 * function keeps what it found, and the effort of one check is bounded.
 */

const BODY =
  /^(function ([\w$]+)\(data(?:, instancePath(?: = "")?)?\) \{\n)([^]*\n {2}return) ([^\n]*);\n\}$/;

/**
 * The same function, which never asks the same again while a value is checked.
 *
 * @param run the name of the run in the generated module
 * @param text a function as it goes there
 */
export function writeRemembering(run: string, text: string): string {
  return text.replace(BODY, (_, opening: string, name: string, body: string, valid: string) => {
    const recalled = `  const found = recall(${run}, ${name}, data);
  if (found !== undefined) return found;
  const { calls } = ${run};`;
    return `${opening}${recalled}\n${body} remember(${run}, ${name}, data, ${valid}, calls);\n}`;
  });
}

/** What is exported for a function that remembers, and the run that they share. */
export function writeBounded(run: string, exportName: string, validate: string): string {
  return `const ${run} = startRun();

export function ${exportName}(data) {
  return checkBounded(${run}, ${exportName}, ${validate}, data);
}`;
}

/** Whether some function leads back to itself: what is left when those that lead nowhere else are taken away. */
export function hasCircle(calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const callers = new Map([...calls.keys()].map((key) => [key, [] as string[]]));
  const open = new Map<string, number>();
  for (const [caller, called] of calls) {
    open.set(caller, called.size);
    for (const key of called) callers.get(key)?.push(caller);
  }
  const ended = [...open].filter(([, count]) => count === 0).map(([key]) => key);
  for (const key of ended) {
    for (const caller of callers.get(key) ?? []) {
      const count = (open.get(caller) ?? 0) - 1;
      open.set(caller, count);
      if (count === 0) ended.push(caller);
    }
  }
  return ended.length < calls.size;
}
