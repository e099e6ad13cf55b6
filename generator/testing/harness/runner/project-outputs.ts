/** Which tests of a project are run: those whose paths in `dist/test` have this pattern. */
export interface ProjectTests {
  readonly folder: string;
  readonly pattern: string;
}

/** The line after which the tests of a project print, where those of several run in one process. */
export const START_OF_PROJECT = "=== the tests of a project ===";

/** What the tests of each project printed. */
export function outputsOfProjects(output: string): string[] {
  return output.split(`${START_OF_PROJECT}\n`).slice(1);
}
