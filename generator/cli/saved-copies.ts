import type { ProjectTree } from "../6-reconcile/tree.js";
import type { Change } from "../model/plan.js";

/** The name of a copy that `--overwrite-edited`, a merge or a removal saves beside a generated file. */
const COPY = /\.saved\d*$/;

/** Generated files in folders that also contain files of a person. */
const GENERATED = /^(?:SERVER\.md|mcp\.schema\.json|mcpwright\.lock\.json|src\/main\.ts)$/;

/** Folders that contain only generated files. */
const GENERATED_FOLDERS = ["src/generated", "test/generated"];

/**
 * The saved copies of edited files that are in a project, and the copies that a plan will make. Version control
 * ignores them, so that a person would not see them otherwise.
 *
 * @returns paths relative to the project's folder, sorted
 */
export function savedCopies(tree: ProjectTree, changes: readonly Change[] = []): string[] {
  const sharedFolderFiles = ["", "src"].flatMap((folder) => filesIn(tree, folder));
  const present = [
    ...sharedFolderFiles.filter((path) => GENERATED.test(path.replace(COPY, ""))),
    ...GENERATED_FOLDERS.flatMap((folder) => filesBelow(tree, folder)),
  ];
  const planned = changes.filter(({ op, owner }) => op === "create" && owner === "user");
  const paths = [...present, ...planned.map(({ path }) => path)];
  return [...new Set(paths.filter((path) => COPY.test(path)))].sort();
}

const filesIn = (tree: ProjectTree, folder: string): string[] =>
  tree.list(folder).map((name) => (folder === "" ? name : `${folder}/${name}`));

/** The files of a folder and of all folders below it. Generated folders have no dot in their names. */
function filesBelow(tree: ProjectTree, folder: string): string[] {
  return filesIn(tree, folder).flatMap((path) => {
    const isFolder = !/\.[^/]*$/.test(path) && tree.entry(path).kind === "folder";
    return isFolder ? filesBelow(tree, path) : [path];
  });
}
