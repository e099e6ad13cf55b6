import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

// Conflicts that a person must resolve: everything else is done, and the command ends with status 3.

export const editedGeneratedFile = defineDiagnostic({
  code: "MW4001",
  exit: "needsPerson",
  message: () => "this generated file was edited by hand and was kept",
  hint: () => "`--overwrite-edited` replaces it and saves your copy beside it",
});

export const foreignFile = defineDiagnostic<{ found: "file" | "folder" }>({
  code: "MW4002",
  exit: "needsPerson",
  message: ({ found }) =>
    `a generated file goes here, but a ${found} that mcpwright did not write is in the way`,
  hint: ({ found }) =>
    found === "file"
      ? "move it away, or let `--adopt --overwrite-edited` replace it (your copy is saved)"
      : "move it away",
});

export const folderInUse = defineDiagnostic<{ paths: readonly string[] }>({
  code: "MW4003",
  exit: "needsPerson",
  message: ({ paths }) =>
    `there is no mcpwright.lock.json, and generated files would replace ${namesAndMore(paths.slice(0, 3), paths.length)}; nothing was written`,
  hint: () =>
    "choose another folder with `--out`, restore the lock, or keep these files and make the rest with `--adopt`",
});

export const letterCaseClash = defineDiagnostic<{ found: string }>({
  code: "MW4004",
  exit: "needsPerson",
  message: ({ found }) => `"${found}" differs from this path only in upper and lower case`,
  hint: ({ found }) => `rename or remove ${found}`,
});

export const handlerNotParsable = defineDiagnostic<{ problem: string; action: string }>({
  code: "MW4005",
  exit: "needsPerson",
  message: ({ problem, action }) =>
    `this file could not be read (${problem}) and was left alone; to do: ${action}`,
});

export const mergedFileNotParsable = defineDiagnostic<{ problem: string }>({
  code: "MW4006",
  exit: "needsPerson",
  message: ({ problem }) =>
    `this file is merged key by key but is not valid JSON (${problem}); it was left alone`,
});

/** What must change where a package is not read as ES modules. */
const ES_MODULES =
  'generated code is ES modules: write "type": "module" and name your CommonJS files .cjs, or generate into a folder of its own with `--out`';

export const mergeConflict = defineDiagnostic<{
  key: string;
  ours: string;
  isRemoved: boolean;
}>({
  code: "MW4007",
  exit: "needsPerson",
  message: ({ key, ours, isRemoved }) =>
    isRemoved
      ? `${key} was removed here and changed by mcpwright; it stays away, mcpwright's is ${ours}`
      : `${key} was changed here and by mcpwright; your value stays, mcpwright's is ${ours}`,
  hint: ({ key }) => (key === "type" ? ES_MODULES : undefined),
});

export const keyNotAdded = defineDiagnostic<{ key: string; reason: string; ours: string }>({
  code: "MW4018",
  exit: "needsPerson",
  message: ({ key, reason, ours }) => `${key} was not added: ${reason}; mcpwright's is ${ours}`,
  hint: ({ key }) => (key === "type" ? ES_MODULES : undefined),
});

/** The most generated lines that a report shows. */
const MAX_SHOWN_LINES = 60;

export const linesConflict = defineDiagnostic<{ ours: readonly string[]; isWhole: boolean }>({
  code: "MW4019",
  exit: "needsPerson",
  message: ({ ours, isWhole }) => {
    if (isWhole) return "this file has nothing of what is generated for it; it stays yours";
    return ours.length === 0
      ? "these lines were changed here, and mcpwright generates them no more; yours stay"
      : "these lines were changed here and by mcpwright; yours stay";
  },
  hint: ({ ours }) => {
    if (ours.length === 0) return undefined;
    const more = ours.length - MAX_SHOWN_LINES;
    const shown = ours.slice(0, MAX_SHOWN_LINES).map((line) => `| ${line}`.trimEnd());
    return ["mcpwright's are:", ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
  },
});

export const lockUnreadable = defineDiagnostic<{ problem: string }>({
  code: "MW4008",
  exit: "needsPerson",
  message: ({ problem }) => `the lock cannot be read: ${problem}; nothing was written`,
  hint: () => "restore it from version control, or make a new one with `--adopt`",
});

export const lockNewer = defineDiagnostic<{ found: number; supported: number }>({
  code: "MW4009",
  exit: "needsPerson",
  message: ({ found, supported }) =>
    `the lock has version ${found}, this mcpwright reads up to ${supported}; nothing was written`,
  hint: () => "update mcpwright",
});

export const textWithMarkers = defineDiagnostic({
  code: "MW4024",
  exit: "needsPerson",
  message: () => "this file has conflict markers; it was left alone",
  hint: () => "resolve the conflict, then generate again",
});

export const plugAndPlay = defineDiagnostic({
  code: "MW4025",
  severity: "warning",
  message: () =>
    "Yarn's Plug'n'Play is not supported: neither mcpwright nor the compiler finds packages that are not in node_modules",
  hint: () => "set `nodeLinker: node-modules` in .yarnrc.yml, and run `yarn install` again",
});

export const conflictMarkersResolved = defineDiagnostic<{ copy?: string }>({
  code: "MW4010",
  severity: "warning",
  message: ({ copy }) =>
    `generating resolves a version-control merge${copy === undefined ? "" : `, and keeps what was there before in ${copy}`}`,
});

export const handlerExportAdded = defineDiagnostic<{ name: string }>({
  code: "MW4011",
  severity: "warning",
  message: ({ name }) => `this file had no export ${name}; one was added at its end`,
});

export const importNotAdjusted = defineDiagnostic<{ problem: string }>({
  code: "MW4012",
  exit: "needsPerson",
  message: ({ problem }) =>
    `this file may name a renamed item but could not be read (${problem}); it was left alone`,
});

export const generatorOlder = defineDiagnostic<{ found: string; own: string }>({
  code: "MW4013",
  exit: "needsPerson",
  message: ({ found, own }) =>
    `mcpwright ${found} generated this project, and this is mcpwright ${own}; nothing was written`,
  hint: () => "update mcpwright, or go back to this version on purpose with `--adopt`",
});

export const callersNotKnown = defineDiagnostic({
  code: "MW4015",
  severity: "warning",
  message: () =>
    "items need scopes, but neither auth of the manifest nor authenticate here says who calls",
});

export const versionDiffers = defineDiagnostic<{ found: string; stated: string }>({
  code: "MW4014",
  severity: "warning",
  message: ({ found, stated }) =>
    `the package has version ${found}, and the server reports ${stated}, which the manifest states`,
  hint: () => "with `version: package.json` in the manifest, `npm version` sets both",
});

export const runtimeIgnored = defineDiagnostic<{ line: string }>({
  code: "MW4016",
  severity: "warning",
  message: ({ line }) =>
    `git leaves out the runtime in vendor/, which npm needs in every clone: ${line} matches it`,
  hint: ({ line }) =>
    line.includes("vendor")
      ? "take this line out, and commit vendor/"
      : "write `/*.tgz` instead, and commit vendor/",
});

export const runtimeDiffers = defineDiagnostic<{
  gives: "another" | "any" | "unknown";
  needed: string;
  specifier: string;
  installed?: { readonly version?: string; readonly place: string };
}>({
  code: "MW4017",
  severity: "warning",
  message: ({ gives, needed, specifier, installed }) => {
    const made = `the code is generated for version ${needed}`;
    if (gives === "unknown")
      return `no runtime is in ${installed?.place}, so that it is not known what ${specifier} gives; ${made}`;
    if (gives === "any") return `${specifier} may give any runtime, and ${made}`;
    return installed?.version === undefined
      ? `${specifier} gives another runtime than version ${needed}, which the code is generated for`
      : `${specifier} gives version ${installed.version}, which is in ${installed.place}, and ${made}`;
  },
  hint: ({ gives }) =>
    gives === "unknown"
      ? "install the project's packages, and run `mcpwright check` again"
      : "name a version that fits, or delete the line: `generate` writes the runtime into vendor/",
});

// Problems that make the output folder unusable: nothing is written, and the command ends with status 1.

export const unsafePath = defineDiagnostic<{ found: string }>({
  code: "MW4020",
  exit: "wrong",
  message: ({ found }) => `this is a ${found}, and mcpwright follows none; nothing was written`,
});

export const lockUnsafe = defineDiagnostic<{ path: string }>({
  code: "MW4021",
  exit: "wrong",
  message: ({ path }) =>
    `it names "${path}", which is no path inside the project; nothing was written`,
});

export const unusableOutputFolder = defineDiagnostic<{ found: string; problem: string }>({
  code: "MW4022",
  exit: "wrong",
  message: ({ found, problem }) => `"${found}" cannot be the output folder: ${problem}`,
  hint: () => "name a folder of its own, for example `--out server`",
});

export const folderOfAnotherManifest = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW4023",
  exit: "wrong",
  message: ({ found, expected }) =>
    `the folder was generated for "${found}", which shares nothing with "${expected}"; nothing was written`,
  hint: () => "choose another folder with `--out`, or confirm with `--adopt`",
});

// Failures of a run: nothing has changed, and the command ends with status 4.

export const diskError = defineDiagnostic<{ action: string; errno: string; pending: boolean }>({
  code: "MW4030",
  exit: "failed",
  message: ({ action, errno, pending }) =>
    `${action} failed with ${errno}; ` +
    (pending ? "the next `mcpwright generate` completes what was begun" : "nothing has changed"),
});

export const changedMeanwhile = defineDiagnostic({
  code: "MW4031",
  exit: "failed",
  message: () => "this file changed while mcpwright was running; nothing has changed",
  hint: () => "run the command again",
});

export const lockedByAnotherRun = defineDiagnostic<{ processId: number }>({
  code: "MW4032",
  exit: "failed",
  message: ({ processId }) => `the output folder is locked by process ${processId}`,
});

export const journalUnreadable = defineDiagnostic<{ problem: string }>({
  code: "MW4033",
  exit: "failed",
  message: ({ problem }) => `the journal of an interrupted run cannot be read: ${problem}`,
});

export const planNotShown = defineDiagnostic<{ found: string }>({
  code: "MW4034",
  exit: "needsPerson",
  message: ({ found }) => `the plan is now another one than --plan names: ${found}`,
  hint: () => "look at what `plan` says now, and name that plan",
});
