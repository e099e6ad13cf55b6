import { shortOrLong } from "../runner/test-length.js";
import { buildProject, testProject } from "./built-project.js";

/**
 * Builds a project, and runs its generated tests in the long form. For projects whose tests say nothing that those of others,
 * which run in short, do not.
 */
export async function buildAndTestInLong(folder: string): Promise<void> {
  const buildOrTest = shortOrLong<(folder: string) => Promise<unknown>>(buildProject, testProject);
  await buildOrTest(folder);
}
