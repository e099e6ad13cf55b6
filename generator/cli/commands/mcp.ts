import { statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { badOptionValue } from "../../model/catalogue/command-line.js";
import { packageRoot } from "../../text/package-root.js";
import { realFolder } from "../compile-manifest.js";
import { exitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { failed } from "../report/failed.js";
import { loadServers } from "../servers/load-servers.js";
import { takeSignals } from "../signals.js";
import type { Command } from "../command.js";

/** `mcpwright mcp`: serves what agents need to write manifests, over stdio, until its client leaves. */
export const mcp: Command = async (context) => {
  const { invocation, folder } = context;
  const found = invocation.values.get("root") ?? ".";
  const root = realFolder(resolve(folder, found));
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    const wrong = { option: "--root", expected: "a folder that exists", found };
    return failed(context, [badOptionValue(placeOf(invocation, "root"), wrong)], exitStatus.wrong);
  }
  Object.assign(process.env, environmentOf(root));
  // The server reads its own options from there, and handles signals.
  process.argv.splice(2);
  takeSignals(() => undefined);
  const { startAuthor } = await loadServers();
  await startAuthor();
  return exitStatus.done;
};

/** The variables of the server, by which the commands that it runs are this one, confined to the folder. */
function environmentOf(root: string): Readonly<Record<string, string>> {
  const programs = fileURLToPath(new URL("dist/generator/bundle/bin", packageRoot));
  const path = [programs, dirname(process.execPath), process.env["PATH"] ?? ""];
  return {
    MCPWRIGHT_ROOT: root,
    MCPWRIGHT_SCHEMAS: join(fileURLToPath(packageRoot), "schemas"),
    PATH: path.join(delimiter),
  };
}
