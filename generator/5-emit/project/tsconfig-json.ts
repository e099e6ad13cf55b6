import type { JsonObject } from "../../model/json.js";

/**
 * `tsconfig.json` of a generated project: strict, and checking what an index may miss, but without
 * the options that stand in the way while a handler is being written (unused names and the like).
 * Modules import each other by the names of their sources, which the compiler rewrites, so that Node.js
 * 22.18 and later also runs them unbuilt.
 */
export const tsconfigJson: JsonObject = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    lib: ["es2023"],
    types: ["node"],
    rootDir: ".",
    outDir: "dist",
    sourceMap: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noFallthroughCasesInSwitch: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
  },
  include: ["src", "test"],
  exclude: ["src/removed"],
};
