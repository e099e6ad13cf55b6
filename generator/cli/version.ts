import { readFileSync } from "node:fs";
import { packageRoot } from "../text/package-root.js";

/** The version of mcpwright, from its package.json. */
export function mcpwrightVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
    version: string;
  };
  return version;
}
