import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

// Conflicts that a person must resolve: everything else is done, and the command ends with status 3.

export const editedGeneratedFile = defineDiagnostic({
  code: "MW4001",
  severity: "error",
  title: "edited generated file kept",
  explanation: {
    cause:
      "A file that mcpwright owns was changed by hand. It is neither what the last run wrote nor what this run would write, so it was left as it is.",
    example: "echo '// mine' >> src/main.ts && mcpwright generate",
    fix: "Move the change into a handler, src/context.ts or the manifest, then undo it here; or run `mcpwright generate --overwrite-edited`, which saves the edited copy beside the file first. Where a formatter did it, undo it with git, and have the formatter leave out what `.prettierignore` names.",
  },
  message: () => "this generated file was edited by hand and was kept",
  hint: () => "`--overwrite-edited` replaces it and saves your copy beside it",
});

export const foreignFile = defineDiagnostic<{ found: "file" | "folder" }>({
  code: "MW4002",
  severity: "error",
  title: "foreign file in the way",
  explanation: {
    cause:
      "Something that mcpwright did not write stands where a generated file goes. What mcpwright does not know it neither replaces nor deletes.",
    example: "A hand-written src/main.ts in a project that did not have a generated one.",
    fix: "Move the file away; or, if it may become the generated one, run `mcpwright generate --adopt --overwrite-edited`, which saves your copy beside it first.",
  },
  message: ({ found }) =>
    `a generated file goes here, but a ${found} that mcpwright did not write is in the way`,
  hint: ({ found }) =>
    found === "file"
      ? "move it away, or let `--adopt --overwrite-edited` replace it (your copy is saved)"
      : "move it away",
});

export const folderInUse = defineDiagnostic<{ paths: readonly string[] }>({
  code: "MW4003",
  severity: "error",
  title: "the output folder holds other files",
  explanation: {
    cause:
      "There is no mcpwright.lock.json, and files with other content stand where generated ones go: the folder belongs to another project, or the lock was lost. Nothing was written.",
    example: "mcpwright generate --out ../my-website",
    fix: "Choose another folder; or restore mcpwright.lock.json; or run `mcpwright generate --adopt`, which makes a project around these files and leaves each of them as it is. With `--overwrite-edited` besides, it replaces them and saves a copy of each.",
  },
  message: ({ paths }) =>
    `there is no mcpwright.lock.json, and generated files would replace ${namesAndMore(paths.slice(0, 3), paths.length)}; nothing was written`,
  hint: () =>
    "choose another folder with `--out`, restore the lock, or keep these files and make the rest with `--adopt`",
});

export const letterCaseClash = defineDiagnostic<{ found: string }>({
  code: "MW4004",
  severity: "error",
  title: "names that differ only in case",
  explanation: {
    cause:
      "The folder has an entry whose name differs from a generated one only in upper and lower case. On macOS and Windows they would be the same file.",
    example: "A hand-made src/Tools/ beside the generated src/tools/.",
    fix: "Rename or remove the entry that the message names.",
  },
  message: ({ found }) => `"${found}" differs from this path only in upper and lower case`,
  hint: ({ found }) => `rename or remove ${found}`,
});

export const handlerNotParsable = defineDiagnostic<{ problem: string; action: string }>({
  code: "MW4005",
  severity: "error",
  title: "handler could not be edited",
  explanation: {
    cause:
      "mcpwright reads an edited handler to find its export, and to follow a declared rename (`renamedFrom`); of a test that you have edited, it only reads whether that must follow. This file has a syntax error or is no UTF-8 text, so it was left as it is. The rest was done.",
    example: "A renamed tool whose handler has a bracket too many.",
    fix: "Repair the file and run `mcpwright generate` again, which then does what the message names; or do that by hand.",
  },
  message: ({ problem, action }) =>
    `this file could not be read (${problem}) and was left alone; to do: ${action}`,
});

export const mergedFileNotParsable = defineDiagnostic<{ problem: string }>({
  code: "MW4006",
  severity: "error",
  title: "merged file could not be read",
  explanation: {
    cause:
      "package.json and tsconfig.json are merged key by key, and this one is not readable as JSON, for example because of conflict markers. It was left as it is.",
    example: "A package.json in the middle of a git merge.",
    fix: "Repair the file, then run `mcpwright generate` again: what is missing is added then.",
  },
  message: ({ problem }) =>
    `this file is merged key by key but is not valid JSON (${problem}); it was left alone`,
});

/** What must change where a package is not read as ES modules. */
const ES_MODULES =
  'generated code is ES modules: write "type": "module" and name your CommonJS files .cjs, or generate into a folder of its own with `--out`';

export const mergeConflict = defineDiagnostic<{ key: string; ours: string }>({
  code: "MW4007",
  severity: "error",
  title: "your value was kept",
  explanation: {
    cause:
      "You and mcpwright both changed the same key of a merged file. Your value stays; this is said once.",
    example:
      'A package.json whose "scripts.build" you rewrote, after an update of mcpwright that changed it too.',
    fix: "Compare the two values. If yours is the one you want, there is nothing to do.",
  },
  message: ({ key, ours }) =>
    `${key} was changed here and by mcpwright; your value stays, mcpwright's is ${ours}`,
  hint: ({ key }) => (key === "type" ? ES_MODULES : undefined),
});

export const keyNotAdded = defineDiagnostic<{ key: string; reason: string; ours: string }>({
  code: "MW4018",
  severity: "error",
  title: "not added to your package.json",
  explanation: {
    cause:
      "The package.json was there before the server, or one of its scripts stays yours. What would change how your own code is read, built or published is not added; this is said once.",
    example:
      'A package.json with a script "build" of its own gets no "prepack" that runs it, and one without "type" gets none.',
    fix: "Add it yourself if the server is to be built and published with the package, or generate the server into a folder of its own with `--out`.",
  },
  message: ({ key, reason, ours }) => `${key} was not added: ${reason}; mcpwright's is ${ours}`,
  hint: ({ key }) => (key === "type" ? ES_MODULES : undefined),
});

/** The most generated lines that a report shows. */
const MAX_SHOWN_LINES = 60;

export const linesConflict = defineDiagnostic<{ ours: readonly string[]; isWhole: boolean }>({
  code: "MW4019",
  severity: "error",
  title: "your lines were kept",
  explanation: {
    cause:
      "You and mcpwright both changed the same lines of a file that is merged by lines: README.md, a workflow, a file for deployment. Yours stay, and mcpwright's are shown this once. A file that has nothing of what was generated is yours alone from then on.",
    example:
      "A Dockerfile whose `FROM` you rewrote, after a change of the manifest that needs another image.",
    fix: "Compare the lines. If yours are the ones you want, there is nothing to do.",
  },
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
  severity: "error",
  title: "unreadable lock",
  explanation: {
    cause:
      "mcpwright.lock.json says which files are generated and what was in them. It is damaged, so no file can be replaced safely. Nothing was written.",
    example: "A truncated mcpwright.lock.json.",
    fix: "Restore it from version control; or run `mcpwright generate --adopt`, which makes a new one and treats every file that differs from what it would write as yours.",
  },
  message: ({ problem }) => `the lock cannot be read: ${problem}; nothing was written`,
  hint: () => "restore it from version control, or make a new one with `--adopt`",
});

export const lockNewer = defineDiagnostic<{ found: number; supported: number }>({
  code: "MW4009",
  severity: "error",
  title: "lock of a newer mcpwright",
  explanation: {
    cause:
      "The project was last generated by a newer mcpwright whose lock this version cannot read. Nothing was written.",
    example: "A colleague updated mcpwright, and your installation is older.",
    fix: "Update mcpwright.",
  },
  message: ({ found, supported }) =>
    `the lock has version ${found}, this mcpwright reads up to ${supported}; nothing was written`,
  hint: () => "update mcpwright",
});

export const textWithMarkers = defineDiagnostic({
  code: "MW4024",
  severity: "error",
  title: "conflict markers in your file",
  explanation: {
    cause:
      "A file that is merged by lines has the conflict markers of a version-control merge, between lines that somebody wrote. It was left alone, and changes wait until they are gone.",
    example:
      "git merge feature, where both branches changed the README, and then mcpwright generate.",
    fix: "Resolve the conflict, then run `mcpwright generate` again.",
  },
  message: () => "this file has conflict markers; it was left alone",
  hint: () => "resolve the conflict, then generate again",
});

export const conflictMarkersResolved = defineDiagnostic<{ copy?: string }>({
  code: "MW4010",
  severity: "warning",
  title: "merge conflict resolved by generating",
  explanation: {
    cause:
      "A generated file or the lock held the conflict markers of a version-control merge, or the lock did and a generated file was a mixture of both sides. It was generated again from the manifest.",
    example: "git merge feature && mcpwright generate",
    fix: "Nothing, unless you had edited the file. Where somebody may have, a copy has what was there: take over what you need, and delete it.",
  },
  message: ({ copy }) =>
    `a version-control merge was resolved by generating${copy === undefined ? "" : `; what was there before is in ${copy}`}`,
});

export const handlerExportAdded = defineDiagnostic<{ name: string }>({
  code: "MW4011",
  severity: "warning",
  title: "missing export added to a handler",
  explanation: {
    cause:
      "The generated registry imports a handler by the name of its constant, and the handler's file had no export of that name. It was added at the end of the file: of what is evidently the handler, else of a stub that answers that it is not implemented.",
    example: "A handler whose constant was renamed in an editor: getForecast to fetchForecast.",
    fix: "Look at the end of the file, and keep one of the two names.",
  },
  message: ({ name }) => `this file had no export ${name}; one was added at its end`,
});

export const importNotAdjusted = defineDiagnostic<{ problem: string }>({
  code: "MW4012",
  severity: "error",
  title: "import could not be adjusted",
  explanation: {
    cause:
      "A handler was renamed (`renamedFrom`), and this file of yours imports it; but it has a syntax error, so it was left as it is.",
    example: "A file in the middle of being written that imports ./tools/get-forecast.js.",
    fix: "Repair the file, and import the handler under its new path and name.",
  },
  message: ({ problem }) =>
    `this file imports a renamed handler but could not be read (${problem}); it was left alone`,
});

export const generatorOlder = defineDiagnostic<{ found: string; own: string }>({
  code: "MW4013",
  severity: "error",
  title: "generated by a newer mcpwright",
  explanation: {
    cause:
      "The project was last generated by a later mcpwright than this one, which would take its improvements back, and knows nothing of what they were. Later is a higher version or, where the versions are the same, as of two checkouts, a runtime whose sources were committed later. Nothing was written.",
    example: "A colleague updated mcpwright and generated, and your installation is older.",
    fix: "Update mcpwright. To go back to the older version on purpose, run `mcpwright generate --adopt` with it.",
  },
  message: ({ found, own }) =>
    `mcpwright ${found} generated this project, and this is mcpwright ${own}; nothing was written`,
  hint: () => "update mcpwright, or go back to this version on purpose with `--adopt`",
});

export const callersNotKnown = defineDiagnostic({
  code: "MW4015",
  severity: "warning",
  title: "scopes that nobody has",
  explanation: {
    cause:
      "Items need scopes, but neither `auth` of the manifest nor an `authenticate` of `src/context.ts` says who calls and which scopes they have. Every request over the network is refused.",
    example: "`scopes` added to a tool of a project that was generated without.",
    fix: "Write `auth` into the manifest, or export `authenticate` from `src/context.ts`.",
  },
  message: () =>
    "items need scopes, but neither auth of the manifest nor authenticate here says who calls",
});

export const versionDiffers = defineDiagnostic<{ found: string; stated: string }>({
  code: "MW4014",
  severity: "warning",
  title: "package.json has another version than the manifest",
  explanation: {
    cause:
      "`npm version` writes package.json only. Your value stays there and is what gets published, while the server reports the version of the manifest.",
    example: "npm version minor && mcpwright generate",
    fix: "Write the new version into the manifest. Or write `version: package.json` there, once: then `npm version` sets both. To keep the two apart on purpose: `diagnostics: {MW4014: off}`.",
  },
  message: ({ found, stated }) =>
    `the package has version ${found}, and the server reports ${stated}, which the manifest states`,
  hint: () => "with `version: package.json` in the manifest, `npm version` sets both",
});

export const runtimeIgnored = defineDiagnostic<{ line: string }>({
  code: "MW4016",
  severity: "warning",
  title: "git leaves the runtime out",
  explanation: {
    cause:
      "The runtime of the server is a file in `vendor/`, which `npm ci` needs in every clone. A line of `.gitignore` matches it, so it is not committed. Projects that were generated before the runtime was a package have the line `*.tgz`.",
    example: "`*.tgz` in .gitignore",
    fix: "Write `/*.tgz`, which matches the tarballs of `npm pack` only, and commit `vendor/`. Or name another source for `@mcpwright/runtime` in package.json. To keep the line: `diagnostics: {MW4016: off}`.",
  },
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
  title: "package.json names another runtime than the code needs",
  explanation: {
    cause:
      "You have said in package.json where `@mcpwright/runtime` comes from, which stays. This mcpwright generates code for one version of it: with an older one the code may not compile or may act otherwise, and `*`, a tag or a repository may give any version. A folder, a member of the workspace or a catalogue does not say its version here: there, what is installed counts.",
    example: '`"@mcpwright/runtime": "^0.0.9"` in package.json',
    fix: "Name a version that fits, or update mcpwright to the version of the runtime. Or delete the line: `generate` then writes the runtime into `vendor/` again. To keep it: `diagnostics: {MW4017: off}`.",
  },
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
  severity: "error",
  title: "unsafe path",
  explanation: {
    cause:
      "A link, a pipe or another special file stands where mcpwright reads or writes. Following it could reach outside the output folder, so nothing was written. A hard link counts too, but to a handler or a test only where that is to be changed.",
    example: "ln -s /etc src/tools && mcpwright generate",
    fix: "Replace it by a plain folder or file.",
  },
  message: ({ found }) => `this is a ${found}, and mcpwright follows none; nothing was written`,
});

export const lockUnsafe = defineDiagnostic<{ path: string }>({
  code: "MW4021",
  severity: "error",
  title: "lock names a path outside the project",
  explanation: {
    cause:
      "mcpwright.lock.json or the journal of an interrupted run names a path that mcpwright never writes, such as one outside the output folder. It was changed by hand or by someone else. Nothing was written.",
    example: 'A lock with the file "../../.bashrc".',
    fix: "Find out who changed it, and restore it from version control.",
  },
  message: ({ path }) =>
    `it names "${path}", which is no path inside the project; nothing was written`,
});

export const unusableOutputFolder = defineDiagnostic<{ found: string; problem: string }>({
  code: "MW4022",
  severity: "error",
  title: "unusable output folder",
  explanation: {
    cause:
      "The output folder is one that no project belongs into: the root of the file system, a home folder, a parent of the manifest's folder, .git or node_modules; or it is no folder.",
    example: "mcpwright generate --out /",
    fix: "Name a folder of its own, for example `--out server`.",
  },
  message: ({ found, problem }) => `"${found}" cannot be the output folder: ${problem}`,
  hint: () => "name a folder of its own, for example `--out server`",
});

export const folderOfAnotherManifest = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW4023",
  severity: "error",
  title: "output folder of another manifest",
  explanation: {
    cause:
      "The output folder was generated from a manifest with another name and not one item in common. Generating over it would remove all of it. Nothing was written.",
    example: "mcpwright generate a.yaml -o out && mcpwright generate b.yaml -o out",
    fix: "Give each manifest its own folder; if the manifest was rewritten from scratch, say so with `--adopt`.",
  },
  message: ({ found, expected }) =>
    `the folder was generated for "${found}", which shares nothing with "${expected}"; nothing was written`,
  hint: () => "choose another folder with `--out`, or confirm with `--adopt`",
});

// Failures of a run: nothing has changed, and the command ends with status 4.

export const diskError = defineDiagnostic<{ action: string; errno: string; pending: boolean }>({
  code: "MW4030",
  severity: "error",
  title: "the disk refused",
  explanation: {
    cause:
      "The operating system refused to read or write a file: no permission, no space left, a read-only file system, a broken disk; or the file has more than 64 MiB. What had been written was undone.",
    example: "mcpwright generate on a full disk.",
    fix: "Repair what the message names and run the command again. Where even undoing was refused, the next `mcpwright generate` finishes it.",
  },
  message: ({ action, errno, pending }) =>
    `${action} failed with ${errno}; ` +
    (pending ? "the next `mcpwright generate` completes what was begun" : "nothing has changed"),
});

export const changedMeanwhile = defineDiagnostic({
  code: "MW4031",
  severity: "error",
  title: "file changed during the run",
  explanation: {
    cause:
      "A file was changed by someone else while mcpwright was about to replace it. The run was undone.",
    example: "An editor that saves a file during `mcpwright generate`.",
    fix: "Run the command again.",
  },
  message: () => "this file changed while mcpwright was running; nothing has changed",
  hint: () => "run the command again",
});

export const lockedByAnotherRun = defineDiagnostic<{ processId: number }>({
  code: "MW4032",
  severity: "error",
  title: "locked by another run",
  explanation: {
    cause: "Another mcpwright is writing into the same output folder.",
    example: "mcpwright dev in one terminal, mcpwright generate in another.",
    fix: "Wait until it is done, or end it.",
  },
  message: ({ processId }) => `the output folder is locked by process ${processId}`,
});

export const journalUnreadable = defineDiagnostic<{ problem: string }>({
  code: "MW4033",
  severity: "error",
  title: "unreadable journal",
  explanation: {
    cause:
      "The journal of an interrupted run is damaged, so that the run can be neither finished nor undone. Nothing was written.",
    example: "A .mcpwright/journal.json that was edited by hand.",
    fix: "Restore the output folder from version control, or delete the folder .mcpwright and look through the files named .mcpwright-*.",
  },
  message: ({ problem }) => `the journal of an interrupted run cannot be read: ${problem}`,
});
