import type { ProjectTree } from "../6-reconcile/tree.js";
import type { Change } from "../model/plan.js";

/** A copy that `--overwrite-edited`, a merge or a removal left beside a generated file. */
const COPY = /\.saved\d*$/;

/** Files that are generated, in the folders that hold a person's files too. */
const GENERATED = /^(?:SERVER\.md|mcp\.schema\.json|mcpwright\.lock\.json|src\/main\.ts)$/;

/** Folders in which everything is generated. */
const GENERATED_FOLDERS = ["src/generated", "test/generated"];

/**
 * The copies of edited files that lie in a project, and those that a plan makes: version control
 * leaves them out, so that nothing else shows them. Paths from the project's folder, sorted.
 */
export function savedCopies(tree: ProjectTree, changes: readonly Change[] = []): string[] {
  const beside = ["", "src"].flatMap((folder) => filesIn(tree, folder));
  const present = [
    ...beside.filter((path) => GENERATED.test(path.replace(COPY, ""))),
    ...GENERATED_FOLDERS.flatMap((folder) => filesBelow(tree, folder)),
  ];
  const made = changes.filter(({ op, owner }) => op === "create" && owner === "user");
  const paths = [...present, ...made.map(({ path }) => path)];
  return [...new Set(paths.filter((path) => COPY.test(path)))].sort();
}

const filesIn = (tree: ProjectTree, folder: string): string[] =>
  tree.list(folder).map((name) => (folder === "" ? name : `${folder}/${name}`));

/** What stands in a folder, and in the folders within it; generated ones have no dot in their names. */
function filesBelow(tree: ProjectTree, folder: string): string[] {
  return filesIn(tree, folder).flatMap((path) => {
    const isFolder = !/\.[^/]*$/.test(path) && tree.entry(path).kind === "folder";
    return isFolder ? filesBelow(tree, path) : [path];
  });
}
