import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { importCircles, importGraph } from "../../harness/oracles/import-circles.js";

const root = fileURLToPath(packageRoot);

/** Rows of the table of folders in ARCHITECTURE.md. */
function documentedFolders(): { folder: string; entries: string[] }[] {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([^`]+\/)` +\|[^|]*\|([^|]*)\|$/gm)];
  return rows.map(([, folder = "", entries = ""]) => ({
    folder,
    entries: [...entries.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  }));
}

test("ARCHITECTURE.md names every folder of the generator, and no path that does not exist", () => {
  const documented = documentedFolders();
  for (const { folder, entries } of documented) {
    assert.ok(existsSync(join(root, folder)), folder);
    for (const entry of entries) assert.ok(existsSync(join(root, folder, entry)), folder + entry);
  }
  const phases = readdirSync(join(root, "generator"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `generator/${entry.name}/`);
  const names = new Set(documented.map(({ folder }) => folder));
  assert.equal(
    phases.filter((phase) => !names.has(phase)),
    [],
  );
});

/** What only puts phases together. */
const above: ReadonlySet<string> = new Set([
  "cli",
  "edit",
  "fix",
  "import",
  "packaging",
  "record",
  "testing",
]);

/** What is below every phase, and yet above `model/` and `text/`. */
const SCHEMA_LEVEL = 0.5;

/** What derives schemas from selections, below every phase. */
const SELECTION_LEVEL = 0.7;

/** What judges the lists that models read, below every phase. */
const LISTING_LEVEL = 0.7;

/** What the phases ask of each kind of body, which knows of schemas and selections. */
const BODIES_LEVEL = 0.8;

/** The phase of a file by the number of its folder; folders without a number are below every phase. */
function phaseOf(path: string): number | "above" {
  const folder = relative(join(root, "generator"), path).split(/[/\\]/)[0] ?? "";
  if (above.has(folder) || folder.endsWith(".ts")) return "above";
  if (folder === "schema") return SCHEMA_LEVEL;
  if (folder === "selection") return SELECTION_LEVEL;
  if (folder === "listing") return LISTING_LEVEL;
  if (folder === "bodies") return BODIES_LEVEL;
  return Number(/^\d+/.exec(folder)?.[0] ?? 0);
}

function* forwardImports(): Generator<string> {
  const sources = readdirSync(join(root, "generator"), { recursive: true, encoding: "utf8" });
  for (const name of sources) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const path = join(root, "generator", name);
    const phase = phaseOf(path);
    if (phase === "above") continue;
    for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const imported = join(dirname(path), target);
      if (!imported.startsWith(join(root, "generator"))) continue;
      const other = phaseOf(imported);
      if (other === "above" || other > phase) yield `${name} imports ${target}`;
    }
  }
}

test("modules import only from earlier stages", () => {
  assert.equal([...forwardImports()], []);
});

/**
 * The one circle that stays. A keyword's definition says what it means for checking, comparing, typing and making values,
 * and each of these asks the definitions of the keywords in a schema: whoever reads a schema leads back to itself as schemas
 * do. To cut it, the keywords would have to be registered when the program starts, and no import would lead to them.
 */
const KEYWORDS_AND_THEIR_READERS = "generator/schema/";

/**
 * The definition of a server names the types of every room that may bring a part, and rooms read it. When the runtime
 * runs, none imports another in a circle.
 */
const RUNTIME = "templates/runtime/";

test("no files import each other in a cycle: in the compiler not even for types", () => {
  const isRuntime = (path: string): boolean => relative(root, path).startsWith(RUNTIME);
  const circles = importCircles(
    importGraph([join(root, "generator"), join(root, RUNTIME)], isRuntime),
  );
  const named = circles.map((circle) => circle.map((path) => relative(root, path)));
  const mayStay = (circle: readonly string[]): boolean =>
    circle.every((path) => path.startsWith(KEYWORDS_AND_THEIR_READERS));
  assert.equal(
    named.filter((circle) => !mayStay(circle)),
    [],
  );
});

test("an import cycle is found with all its files, without files that only lead to it or from it", () => {
  const imports = { a: ["b"], b: ["c"], c: ["d", "e"], d: ["b"], e: ["f"], f: [], g: ["g"] };
  assert.equal(importCircles(new Map(Object.entries(imports))), [["b", "c", "d"]]);
});

test.run();
