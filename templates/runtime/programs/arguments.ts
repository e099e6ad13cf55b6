import { ToolError } from "../engine/errors.js";

/**
 * What a program gets as its arguments: each text is one, a list is as many as it has items, and what is absent is
 * none. No shell ever reads them.
 *
 * @throws ToolError for what no argument can be
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

/** The environment of a program, without what is absent. @throws ToolError for a value that none can have */
export function programEnvironment(
  program: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const { PATH } = process.env;
  const named = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...(PATH !== undefined && { PATH }),
    ...Object.fromEntries(named.map(([name, value]) => [name, withoutNul(program, String(value))])),
  };
}

/** The system ends an argument at the character NUL: what stands behind it would be lost. */
function withoutNul(program: string, text: string): string {
  if (!text.includes("\0")) return text;
  throw new ToolError(`An argument of the program ${program} has the character NUL.`);
}
