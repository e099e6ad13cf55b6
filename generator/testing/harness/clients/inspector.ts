import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { patience } from "../../../../templates/runtime/samples/until.js";
import { dependencyVersions } from "../../../5-emit/project/dependency-versions.js";
import { installPackage } from "../runner/cached-package.js";
import type { Era } from "./project-clients.js";

const execute = promisify(execFile);
const NAME = "@modelcontextprotocol/inspector";

/** A server that listens at a URL, or a program that speaks over stdio, with its folder. */
export type InspectedServer =
  { readonly url: string } | { readonly command: readonly string[]; readonly cwd: string };

/** Calls a method with the command line of the MCP Inspector. Returns its output. */
export async function inspect(
  server: InspectedServer,
  era: Era,
  method: string,
  parameters: readonly string[] = [],
): Promise<string> {
  const folder = await installPackage(NAME, dependencyVersions[NAME]);
  const isRemote = "url" in server;
  const target = isRemote
    ? ["--server-url", server.url, "--transport", "http"]
    : ["--transport", "stdio", "--cwd", server.cwd];
  const options = ["--protocol-era", era, "--method", method, ...parameters, "--format", "json"];
  const { stdout } = await execute(process.execPath, [
    join(folder, "node_modules/.bin/mcp-inspector"),
    ...[
      "--cli",
      ...target,
      ...options,
      "--connect-timeout",
      String(patience),
      "-q",
      ...(isRemote ? [] : ["--", ...server.command]),
    ],
  ]);
  return stdout;
}
