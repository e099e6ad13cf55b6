import { test } from "uvu";
import * as assert from "uvu/assert";
import { instancesOf } from "./found-instances.js";

interface Order {
  readonly id: string;
  readonly kind?: string;
}

test("a row has the values of the variables and the listed members", () => {
  const rows = [
    { id: 7, kind: null, title: "Seven", size: "12", mimeType: "text/plain", other: 1 },
    { id: "8", kind: "a", name: "Eight", description: null },
  ];
  assert.equal(instancesOf<Order>(rows, ["id", "kind"]), [
    { name: "7", title: "Seven", size: 12, mimeType: "text/plain", variables: { id: "7" } },
    { name: "Eight", variables: { id: "8", kind: "a" } },
  ]);
  assert.equal(instancesOf<Order>([{ id: 1, kind: "b" }], ["id", "kind"])[0]?.name, "1/b");
});

test("a template with one variable accepts a list of its values", () => {
  assert.equal(instancesOf<{ id: string }>(["a", 2], ["id"]), [
    { name: "a", variables: { id: "a" } },
    { name: "2", variables: { id: "2" } },
  ]);
});

test("a column with a variable's name is no listed member, except the name", () => {
  const found = [{ name: "a", title: "t", path: ["x", "y"] }];
  const [one] = instancesOf<{ name: string; title: string; path: string[] }>(found, [
    "name",
    "title",
    "path",
  ]);
  assert.equal(one, { name: "a", variables: { name: "a", title: "t", path: ["x", "y"] } });
});

test("a result that is no list is refused", () => {
  assert.throws(() => instancesOf<Order>({ items: [] }, ["id"]), "no list of instances");
});

test.run();
