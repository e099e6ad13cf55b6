import { ToolError } from "../engine/errors.js";

/**
 * The arguments of a program. Each item of a list becomes an argument; undefined and null become none. No shell reads
 * the arguments.
 *
 * @throws ToolError for an object, a list within a list, or a text with the character NUL
 */
export function programArguments(program: string, values: readonly unknown[]): string[] {
  return values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => {
      if (value === undefined || value === null) return [];
      if (typeof value === "object") {
        throw new ToolError(`An argument of the program ${program} is a list or an object.`);
      }
      return [withoutNul(program, String(value))];
    });
}

/** The environment of a program, with `PATH`, without undefined values. @throws ToolError for the character NUL */
export function programEnvironment(
  program: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const { PATH } = process.env;
  const variables = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...(PATH !== undefined && { PATH }),
    ...Object.fromEntries(
      variables.map(([name, value]) => [name, withoutNul(program, String(value))]),
    ),
  };
}

/** Refuses a text with the character NUL: the system would lose what follows it. */
function withoutNul(program: string, text: string): string {
  if (!text.includes("\0")) return text;
  throw new ToolError(`An argument of the program ${program} has the character NUL.`);
}
