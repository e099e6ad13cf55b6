import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about folders of skills, and about the skills in them. */

export const skillFolderNamed = defineDiagnostic<{ name: string }>({
  code: "MW2154",
  message: ({ name }) =>
    `the folder's name ${name} is no name of a skill: 1 to 64 small letters, digits and single hyphens`,
});

export const skillNameTaken = defineDiagnostic<{ name: string; by: string; line: string }>({
  code: "MW2155",
  message: ({ name, by, line }) => `the name ${name} is that of ${by} on ${line}`,
});

export const noSkill = defineDiagnostic<{ root: string }>({
  code: "MW4040",
  severity: "warning",
  message: ({ root }) => `there is no SKILL.md in ${root}`,
});

export const skillTextWrong = defineDiagnostic<{ problem: string }>({
  code: "MW4041",
  message: ({ problem }) => `this is no skill: ${problem}`,
});

export const skillTextUnreadable = defineDiagnostic({
  code: "MW4042",
  message: () => "this skill cannot be read: it must be a file of at most 1 MiB",
});

export const largeSkill = defineDiagnostic<{ files: number; bytes: number }>({
  code: "MW4043",
  severity: "warning",
  message: ({ files, bytes }) =>
    `the skill has ${files} files with ${bytes} bytes; clients accept 512 files and 16,777,216 bytes`,
});
