import { execFile, type ExecFileException } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs `npm install` without requests for anything but packages. */
export async function installQuietly(folder: string, ...wanted: string[]): Promise<void> {
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(folder, "install", ...wanted, ...quiet);
}

/** Runs npm in a folder; throws with its output when it fails. */
export async function npm(folder: string, ...parameters: string[]): Promise<string> {
  return runProgram(folder, "npm", parameters);
}

/** The time after which a program counts as hanging, on any machine. */
const PROGRAM_LIMIT_MS = 15 * 60_000;

/**
 * Runs a program to its end, with these variables beside those of this process; throws with all that it printed when it
 * fails, or does not end.
 */
export async function runProgram(
  folder: string,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, [...parameters], {
      cwd: folder,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
      timeout: PROGRAM_LIMIT_MS,
      killSignal: "SIGKILL",
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "", killed, code } = error as Partial<ExecFileException>;
    const happened = killed === true && code === null ? "did not end" : "failed";
    const command = `${program} ${parameters.join(" ")}`;
    throw new Error(`${command} ${happened} in ${folder}\n${stdout}${stderr}`);
  }
}
