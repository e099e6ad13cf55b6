import { readFileSync } from "node:fs";
import { packageRoot } from "../text/package-root.js";

let readVersion: string | undefined;

/**
 * The version of mcpwright, from its package.json. It is read once: `dev` runs on with this code where another version is
 * installed meanwhile.
 */
export function mcpwrightVersion(): string {
  return (readVersion ??= versionInPackage());
}

function versionInPackage(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
    version: string;
  };
  return version;
}
