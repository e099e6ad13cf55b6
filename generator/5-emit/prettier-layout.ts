import { LINE_WIDTH } from "../text/code.js";

const options = {
  parser: "typescript",
  // Without a file name, prettier first searches the text for JSX, in time quadratic in the longest line.
  filepath: "file.ts",
  printWidth: LINE_WIDTH,
  endOfLine: "lf",
} as const;

/** Formats TypeScript with prettier and fixed options, independently of the user's configuration. */
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

/** Code that prettier may change even if it fits on its line. */
const REWRITTEN: readonly RegExp[] = [
  // Prettier chooses the quotes that need fewer escapes, and another form of exponents.
  /\\"|\de[+-]?\d/,
  // Prettier gives each object or list in a list its own line.
  /[}\]], [{[]/,
  // Prettier puts as many numbers of a list on a line as fit.
  /^\s*-?[\d.]+,$/,
  // Prettier counts some of these characters as two columns, and removes quotes around some names with them.
  /[^ -~]/,
];

/**
 * True if prettier would certainly not change a file, so that it need not be loaded.
 *
 * @param text the file, in which everything that fits is on one line, except bodies of functions
 */
export function isPrettierStable(text: string): boolean {
  const code = text.split("\n").filter((line) => !/^\s*(\/\*\*| \*)/.test(line));
  return code.every(
    (line) => line.length <= LINE_WIDTH && !REWRITTEN.some((pattern) => pattern.test(line)),
  );
}
