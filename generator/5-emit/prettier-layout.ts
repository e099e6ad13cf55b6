import { LINE_WIDTH } from "../text/code.js";

const options = {
  parser: "typescript",
  // Without a name, prettier looks for JSX in the text first, in time quadratic in the longest line.
  filepath: "file.ts",
  printWidth: LINE_WIDTH,
  endOfLine: "lf",
} as const;

/** TypeScript as prettier lays it out, with options that nobody can change. Loads prettier once. */
export async function layOutWithPrettier(source: string): Promise<string> {
  const [{ format }, typescriptPlugin, estreePlugin] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  const plugins = [
    typescriptPlugin.default ?? typescriptPlugin,
    estreePlugin.default ?? estreePlugin,
  ];
  return format(source, { ...options, plugins });
}

/** What prettier may write in another way, although it fits on its line. */
const REWRITTEN: readonly RegExp[] = [
  // It chooses the quotes that need fewer escapes, and another form of exponents.
  /\\"|\de[+-]?\d/,
  // It gives several objects or lists in a list a line each.
  /[}\]], [{[]/,
  // It fills lines with numbers.
  /^\s*-?[\d.]+,$/,
  // Such letters may be wider, and it takes the quotes from some names with them.
  /[^ -~]/,
];

/**
 * Whether a file is as prettier lays it out, which need not be asked then.
 *
 * @param text in which what fits stays on a line, but for the bodies of functions
 */
export function isAsPrettierLaysOut(text: string): boolean {
  const code = text.split("\n").filter((line) => !/^\s*(\/\*\*| \*)/.test(line));
  return code.every(
    (line) => line.length <= LINE_WIDTH && !REWRITTEN.some((pattern) => pattern.test(line)),
  );
}
