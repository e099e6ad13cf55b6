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

/** Code that prettier may change although it fits on its line. */
const REWRITTEN: readonly RegExp[] = [
  // Prettier chooses the quotes that need fewer escapes, and another form of exponents.
  /\\"|\de[+-]?\d/,
  // Prettier gives each object or list in a list its own line.
  /[}\]], [{[]/,
  // It fills lines with numbers.
  /^\s*-?[\d.]+,$/,
  // Prettier counts such letters as wider, and removes the quotes from some names with them.
  /[^ -~]/,
];

/**
 * Whether prettier would certainly not change a file, so that it need not be loaded.
 * @param text The file, laid out so that everything that fits is on one line, but for the bodies of
 * functions.
 */
export function isAsPrettierLaysOut(text: string): boolean {
  const code = text.split("\n").filter((line) => !/^\s*(\/\*\*| \*)/.test(line));
  return code.every(
    (line) => line.length <= LINE_WIDTH && !REWRITTEN.some((pattern) => pattern.test(line)),
  );
}
