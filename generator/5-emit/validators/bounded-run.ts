/**
 * A recursive schema with several alternatives makes AJV's functions check the same value again and
 * again: the number of calls doubles with each level of the value. For such schemas each function
 * remembers its results, and the number of calls of one check is limited.
 */

/** A function of the generated module, split at its signature and at its `return`. */
const FUNCTION =
  /^(function ([\w$]+)\(data(?:, instancePath(?: = "")?)?\) \{\n)([^]*\n {2}return) ([^\n]*);\n\}$/;

/**
 * Adds code to a function that remembers its result for each value until the check ends.
 *
 * @param run name of the variable that holds the remembered results
 * @param text code of one function, laid out
 */
export function memoizedFunction(run: string, text: string): string {
  return text.replace(FUNCTION, (_, opening: string, name: string, body: string, valid: string) => {
    const lookup = `  const found = recall(${run}, ${name}, data);
  if (found !== undefined) return found;
  const { calls } = ${run};`;
    return `${opening}${lookup}\n${body} remember(${run}, ${name}, data, ${valid}, calls);\n}`;
  });
}

/** The variable with the remembered results, and the exported function that starts a check. */
export function boundedExport(run: string, exportName: string, validate: string): string {
  return `const ${run} = startRun();

export function ${exportName}(data) {
  return checkBounded(${run}, ${exportName}, ${validate}, data);
}`;
}

/**
 * True if some function calls itself, directly or through others. Removes again and again the functions
 * that call nothing that is left; what cannot be removed is part of a cycle or leads to one.
 *
 * @param calls for each function, the functions that it calls
 */
export function hasCycle(calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const callers = new Map([...calls.keys()].map((key) => [key, [] as string[]]));
  const openCalls = new Map<string, number>();
  for (const [caller, called] of calls) {
    openCalls.set(caller, called.size);
    for (const key of called) callers.get(key)?.push(caller);
  }
  const removed = [...openCalls].filter(([, count]) => count === 0).map(([key]) => key);
  for (const key of removed) {
    for (const caller of callers.get(key) ?? []) {
      const count = (openCalls.get(caller) ?? 0) - 1;
      openCalls.set(caller, count);
      if (count === 0) removed.push(caller);
    }
  }
  return removed.length < calls.size;
}
