import { RUNTIME_PACKAGE } from "../5-emit/project/runtime-package.js";
import type { LockedFile } from "./lock.js";
import { modulePath, type ModuleMove, type ModuleMoves } from "./source-editor.js";

/*
 * Projects once had the runtime and the suites of their tests as copied files. People's files that import such a file
 * now import the package.
 */

/** Former modules whose contents are in other modules now: the types of the manifest, and the contexts of tests. */
const MOVED = {
  "src/generated/types": "src/generated/index",
  "src/generated/testing": "test/generated/testing",
};

/** The entries of the package that have the contents of former folders; the others are in the package's main entry. */
const ENTRIES: readonly (readonly [folder: string, entry: string])[] = [
  ["test/generated/", "/testing"],
  ["src/generated/runtime/access/", "/auth"],
  ["src/generated/runtime/asking/", "/asking"],
  ["src/generated/runtime/changes/", "/changes"],
  ["src/generated/runtime/connections/", "/custom"],
  ["src/generated/runtime/databases/", "/databases"],
  ["src/generated/runtime/directories/", "/directories"],
  ["src/generated/runtime/programs/", "/programs"],
  ["src/generated/runtime/remote-servers/", "/servers"],
  ["src/generated/runtime/testing/", "/testing"],
  ["src/generated/runtime/upstreams/", "/upstreams"],
  ["src/generated/runtime/", ""],
];

/**
 * The modules of a former generation whose contents are now elsewhere: in an entry of the package, or in another module.
 *
 * @param locked the files of the last generation
 * @param isGenerated true for the paths of this generation
 */
export function movesToPackage(
  locked: ReadonlyMap<string, LockedFile>,
  isGenerated: (path: string) => boolean,
): ModuleMoves {
  const moves = new Map<string, ModuleMove>();
  for (const [from, to] of Object.entries(MOVED)) {
    if (locked.has(`${from}.ts`) && !isGenerated(`${from}.ts`))
      moves.set(from, { to, exports: new Map() });
  }
  for (const [path, { owner }] of locked) {
    if (owner !== "generated" || !path.endsWith(".ts") || isGenerated(path)) continue;
    const found = ENTRIES.find(([folder]) => path.startsWith(folder));
    if (found === undefined) continue;
    const to = RUNTIME_PACKAGE + found[1];
    moves.set(modulePath(path), { to, exports: new Map(), isPackage: true });
  }
  return moves;
}
