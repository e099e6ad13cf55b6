import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "../../../cli/run.js";

/** What generating, installing and building put into a project's folder: all but its user's own files. */
const made =
  /^(node_modules|dist|src\/generated|test\/generated|src\/main\.ts|SERVER\.md|vendor|mcpwright\.lock\.json|package\.json|tsconfig\.json)$/;

/** A new folder with the files of an example that a person wrote; `name` shows in its path. */
export async function copyUserFiles(source: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `mcpwright-${name}-`));
  await cp(source, folder, {
    recursive: true,
    filter: (path) => !made.test(relative(source, path).replaceAll("\\", "/")),
  });
  return folder;
}

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a mcpwright command line in this process, as `mcpwright …argv` in that folder would. */
export async function mcpwright(folder: string, ...argv: string[]): Promise<CommandResult> {
  return mcpwrightWith({}, folder, ...argv);
}

/** As `mcpwright`, with environment variables. */
export async function mcpwrightWith(
  env: Readonly<Record<string, string>>,
  folder: string,
  ...argv: string[]
): Promise<CommandResult> {
  let out = "";
  let err = "";
  const status = await run(argv, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env,
    cwd: folder,
    color: { out: false, err: false },
  });
  return { status, out, err };
}
