import { LINE_WIDTH } from "./line-width.js";

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
