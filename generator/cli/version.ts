import { readFileSync } from "node:fs";
import { packageRoot } from "../text/package-root.js";

let cachedVersion: string | undefined;

/**
 * The version of mcpwright, from its package.json. It is read once: `dev` runs on with this code where another version is
 * installed meanwhile.
 */
export function mcpwrightVersion(): string {
  return (cachedVersion ??= versionInPackage());
}

function versionInPackage(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
    version: string;
  };
  return version;
}
