import { test } from "uvu";
import * as assert from "uvu/assert";
import { ToolIndex } from "./tool-index.js";
import { stemsOf } from "./words.js";

const TOOLS: readonly (readonly [name: string, description: string])[] = [
  ["list_invoices", "Lists invoices, the newest first."],
  ["get_invoice", "Shows an invoice with its lines."],
  ["create_invoice", "Drafts an invoice for a customer."],
  ["delete_invoice", "Deletes a draft."],
  ["delete_invoice_line", "Deletes one line of an invoice."],
  ["list_customers", "Lists customers."],
  ["create_customer", "Adds a customer, who may get invoices later."],
  ["merge_pull_request", "Merges a pull request."],
];

const index = new ToolIndex(
  TOOLS.map(([name, description]) => ({
    name,
    reads: /^(list|get)/.test(name),
    heading: stemsOf(name).join(" "),
    text: stemsOf(description).join(" "),
  })),
);

const find = (query: string, most = 3): string[] => index.find(query, most, () => true);

test("words are reduced to stems, without punctuation, case and stop words, and abbreviations are written out", () => {
  assert.equal(
    stemsOf("Lists the open PRs of a repo"),
    stemsOf("list open pull request repository"),
  );
  assert.equal(stemsOf("getUserByID"), stemsOf("get user by ID"));
  assert.equal(stemsOf("the user's e-mails"), stemsOf("user e mail"));
  assert.equal(stemsOf("unfollow, sub-issues, subtasks"), stemsOf("un follow sub issue sub task"));
  assert.equal(stemsOf("Größe — 価格 (v2)"), ["größe", "価格", "v2"]);
  assert.equal(stemsOf(" .,; "), []);
  assert.is(stemsOf("x".repeat(100_000)).join().length, 64);
});

test("a tool whose name has the words of the query and few others comes first", () => {
  assert.is(find("delete an invoice")[0], "delete_invoice");
  assert.is(find("delete a line of an invoice")[0], "delete_invoice_line");
  assert.is(find("invoice lines")[0], "delete_invoice_line");
});

test("synonyms and abbreviations find a tool, too", () => {
  assert.is(find("remove an invoice")[0], "delete_invoice");
  assert.is(find("make a new customer")[0], "create_customer");
  assert.is(find("merge the PR")[0], "merge_pull_request");
  assert.is(find("which customers are there")[0], "list_customers");
});

test("a word of the query does not count for another word of the query", () => {
  const answers = new ToolIndex(
    ["add_comment", "reply_to_comment"].map((name) => ({
      ...{ name, reads: false, text: "" },
      heading: stemsOf(name).join(" "),
    })),
  );
  assert.equal(
    answers.find("answer a comment", 1, () => true),
    ["reply_to_comment"],
  );
});

test("a query to show something finds a tool that reads first, and one to create something a tool that writes", () => {
  const order = find("invoice", 9);
  assert.is(find("show the invoice")[0], "get_invoice");
  assert.is(find("draft invoice")[0], "create_invoice");
  assert.is(order.length, 6);
});

test("a tool that may not be found leaves its place to others; unknown words find nothing", () => {
  assert.equal(
    index.find("delete an invoice", 1, (name) => name !== "delete_invoice"),
    ["delete_invoice_line"],
  );
  assert.equal(find("zebra constructor __proto__"), []);
  assert.equal(find(""), []);
  assert.equal(
    new ToolIndex([]).find("invoice", 5, () => true),
    [],
  );
});

test("the order of results is stable, also among equal scores", () => {
  const equal = new ToolIndex(
    ["one", "two", "three"].map((name) => ({ name, reads: true, heading: "same", text: "" })),
  );
  assert.equal(
    equal.find("same", 2, () => true),
    ["one", "two"],
  );
  assert.equal(find("customer invoice", 9), find("customer invoice", 9));
});

test.run();
