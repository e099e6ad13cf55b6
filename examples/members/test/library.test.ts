import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "./generated/testing.ts";
import { Loans } from "../src/library/loans.ts";
import { loans as readLoans } from "../src/resources/loans.ts";
import { borrowBook } from "../src/tools/borrow-book.ts";
import { listBorrowers } from "../src/tools/list-borrowers.ts";
import { returnBook } from "../src/tools/return-book.ts";

/** The handlers, called as two members and a machine. */

const loans = new Loans();

const as = (principal: string) =>
  createTestContext({ services: { loans }, auth: { principal, scopes: [] } });

const URI = "members://loans";

test("a book is lent to one member at a time, who alone is told of it", async () => {
  const [ada, bob] = [as("ada"), as("bob")];
  assert.is(await borrowBook({ book: "Emma" }, ada), true);
  assert.is(await borrowBook({ book: "Emma" }, bob), false);
  assert.equal([ada.updated, ada.recipients, bob.updated], [[URI], ["ada"], []]);
  assert.is(await readLoans(URI, ada), '["Emma"]');
  assert.is(await readLoans(URI, bob), "[]");
  assert.equal(await listBorrowers({}, as("eve")), [{ book: "Emma", borrower: "ada" }]);
});

test("whoever had a book is told when a machine takes it back", async () => {
  const machine = as("key:drop");
  assert.is(await returnBook({ book: "Emma" }, machine), true);
  assert.equal([machine.updated, machine.recipients], [[URI], ["ada"]]);
  assert.is(await returnBook({ book: "Emma" }, machine), false);
  assert.is(await readLoans(URI, as("ada")), "[]");
});

test.run();
