import type { JsonObject } from "../../model/json.js";

/**
 * `tsconfig.json` of a generated project: strict, with checked index access, but without options such as
 * unused names, which would disturb people while they write a handler.
 * Imports name the `.ts` files, and the compiler rewrites them. Node.js 22.18 and later therefore also runs the
 * sources without a build.
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
