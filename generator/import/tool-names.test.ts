import { test } from "uvu";
import * as assert from "uvu/assert";
import { itemNames } from "../text/names.js";
import type { Operation } from "./operations.js";
import { toolNames } from "./tool-names.js";

/** @param id of `GET route` */
const operation = (route: string, id: string): Operation => ({
  ...{ method: "GET", route, value: { operationId: id }, path: ["paths", route, "get"] },
  pathItem: { value: {}, path: ["paths", route] },
});

const operations = [
  operation("/a", "get-it"),
  operation("/b", "get_it"),
  operation("/c", "getIt"),
  operation("/d", "get it"),
  operation("/e", "step1_2"),
  operation("/f", "step_12"),
  operation("/g", "other"),
];

test("names that would be equal in code get the path added, and the others do not", () => {
  const names = [...toolNames(operations).values()];
  assert.equal(names.slice(0, 3), ["get-it_get_a", "get_it_get_b", "getIt_get_c"]);
  assert.is(names.at(-1), "other");
  for (const part of ["fileName", "identifier"] as const) {
    const inCode = names.map((name) => itemNames(name)[part].toLowerCase());
    assert.is(new Set(inCode).size, operations.length, part);
  }
});

test("a new name differs from names imported before and from names of other items", () => {
  const [first, second] = operations as [Operation, Operation];
  const former = new Map([[first, "get-it"]]);
  const names = toolNames(operations, former, ["Other"]);
  assert.is(names.get(first), "get-it");
  assert.is(names.get(second), "get_it_get_b");
  assert.is([...names.values()].at(-1), "other_get_g");
});

test.run();
