import type { JsonObject } from "../../model/json.js";

/**
 * `tsconfig.json` of a generated project. The options are those of the runtime's package: strict, with checked index
 * access, but without options such as unused names, which would disturb people while they write a handler.
 */
export const tsconfigJson: JsonObject = {
  extends: "@mcpwright/runtime/tsconfig.json",
  compilerOptions: { rootDir: ".", outDir: "dist" },
  include: ["src", "test"],
  exclude: ["src/removed"],
};
