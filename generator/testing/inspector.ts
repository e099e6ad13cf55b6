import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { dependencyVersions } from "../5-emit/project/dependency-versions.js";
import { installPackage } from "./cached-package.js";
import type { Era } from "./project-clients.js";

const execute = promisify(execFile);
const NAME = "@modelcontextprotocol/inspector";

/** Calls a method with the command line of the MCP Inspector; returns what it prints. */
export async function inspect(
  url: string,
  era: Era,
  method: string,
  parameters: readonly string[] = [],
): Promise<string> {
  const folder = await installPackage(NAME, dependencyVersions[NAME]);
  const server = ["--server-url", url, "--transport", "http", "--protocol-era", era];
  const { stdout } = await execute(process.execPath, [
    join(folder, "node_modules/.bin/mcp-inspector"),
    ...["--cli", ...server, "--method", method, ...parameters, "--format", "json", "-q"],
  ]);
  return stdout;
}
