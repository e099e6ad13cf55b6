import { readFileSync } from "node:fs";
import { Node, Project, SyntaxKind, type ArrayLiteralExpression, type SourceFile } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";

/** Hostile cases that the runtime's tests try against bodies, by kind: where each list stands, and how long it is. */
const CASES: readonly (readonly [kind: string, file: string, list: string, count: number])[] = [
  ["addresses that a name resolves to", "upstreams/guard.test.ts", "PRIVATE_ADDRESSES", 41],
  ["literal addresses, odd forms too", "upstreams/guard.test.ts", "LITERALS", 20],
  ["redirects", "upstreams/guard.test.ts", "REDIRECTS", 14],
  ["paths of handlers", "upstreams/client.test.ts", "paths", 10],
  ["values in paths", "upstreams/styles.test.ts", "HOSTILE_SEGMENTS", 31],
  ["values in queries", "upstreams/styles.test.ts", "HOSTILE_PARAMETERS", 13],
  ["values in headers", "upstreams/styles.test.ts", "HOSTILE_HEADERS", 13],
  ["huge and compressed answers", "upstreams/exchange.test.ts", "TOO_MUCH", 7],
  ["slow and broken answers", "upstreams/exchange.test.ts", "SLOW_OR_BROKEN", 11],
  ["secrets in answers", "upstreams/masked-secrets.test.ts", "LEAKS", 6],
  ["values in Postgres", "databases/postgres.test.ts", "texts", 20],
  [
    "statements that leave a transaction of Postgres",
    "databases/postgres.test.ts",
    "statements",
    49,
  ],
  ["values in SQLite", "databases/sqlite.test.ts", "texts", 20],
  ["statements that write with SQLite", "databases/sqlite.test.ts", "statements", 28],
  ["arguments of programs", "programs/programs.test.ts", "HOSTILE_TEXTS", 44],
  ["paths of directories", "directories/directories.test.ts", "ABSENT", 75],
];

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

function sourceOf(file: string): SourceFile {
  const text = readFileSync(new URL(`templates/runtime/${file}`, packageRoot), "utf8");
  return project.createSourceFile(`/${file}`, text, { overwrite: true });
}

/** How many cases a list of a test has. */
function countIn(file: string, list: string): number {
  const declaration = sourceOf(file)
    .getDescendantsOfKind(SyntaxKind.VariableDeclaration)
    .find((one) => one.getName() === list);
  const value = declaration?.getInitializer();
  assert.ok(value, `${file} has no ${list}`);
  if (Node.isArrayLiteralExpression(value)) return elementsIn(value);
  assert.ok(Node.isObjectLiteralExpression(value), `${list} is neither a list nor an object`);
  const cases = value.getProperties().map((property) => {
    const member = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
    // A kind of addresses has several; any other member is one case.
    const isKind = list === "PRIVATE_ADDRESSES" && Node.isArrayLiteralExpression(member);
    return isKind ? elementsIn(member) : 1;
  });
  return sumOf(cases);
}

/** The items of a list, with those of lists that are spread in it. */
function elementsIn(list: ArrayLiteralExpression): number {
  const counts = list.getElements().map((element) => {
    const spread = Node.isSpreadElement(element) ? element.getExpression() : undefined;
    return Node.isArrayLiteralExpression(spread) ? elementsIn(spread) : 1;
  });
  return sumOf(counts);
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

test("the table of hostile cases is current and has at least 200 rows", () => {
  const found = CASES.map(([kind, file, list]) => [kind, file, list, countIn(file, list)] as const);
  assert.equal(found, CASES);
  const total = sumOf(found.map(([, , , count]) => count));
  assert.ok(total >= 200, String(total));
});

test.run();
