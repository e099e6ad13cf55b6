import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ResourceTemplateEntry, UriTemplatePart } from "./definition.js";
import { InvalidResultError } from "../engine/errors.js";
import { expandUri, toListedResources } from "./instances.js";
import { caller, refusal, sampleEngine } from "../samples/engine.js";
import { erased } from "../samples/server.js";
import { uriMatcher } from "./uri-template.js";

const literal = (text: string): UriTemplatePart => ({ kind: "literal", text });
const expression = (
  operator: "" | "+" | "/" | "." | "?",
  names: readonly string[],
  explode = false,
): UriTemplatePart => ({ kind: "expression", operator, names, explode });

const file: ResourceTemplateEntry = {
  definition: { uriTemplate: "x://files/{name}{?rev}", name: "file", mimeType: "text/plain" },
  parts: [literal("x://files/"), expression("", ["name"]), expression("?", ["rev"])],
  handler: () => erased(() => "x"),
};

test("a URI that is made from values has these values when it is read", () => {
  const templates: [UriTemplatePart[], Record<string, string | string[]>, string][] = [
    [
      [literal("x://"), expression("", ["a"])],
      { a: "ä b/c%?#!" },
      "x://%C3%A4%20b%2Fc%25%3F%23%21",
    ],
    [[literal("x://"), expression("+", ["a"])], { a: "b c/d?" }, "x://b%20c/d%3F"],
    [[literal("x://h"), expression("/", ["a"])], { a: "b" }, "x://h/b"],
    [[literal("x://h"), expression(".", ["a"])], { a: "b" }, "x://h.b"],
    [[literal("x://h"), expression("/", ["a"], true)], { a: ["b", "c d"] }, "x://h/b/c%20d"],
    [[literal("x://h"), expression("/", ["a"], true)], { a: [] }, "x://h"],
    [[literal("x://h"), expression("?", ["a", "b"])], { b: "1&2" }, "x://h?b=1%262"],
    [[literal("x://h"), expression("?", ["a"])], {}, "x://h"],
  ];
  for (const [parts, values, uri] of templates) {
    assert.is(expandUri(parts, values), uri);
    if (!JSON.stringify(values).includes("/")) assert.equal(uriMatcher(parts)(uri), values, uri);
  }
});

test("instances are listed with the template's MIME type, unless they have their own", async () => {
  const listed = await toListedResources(
    file,
    [
      { name: "A", variables: { name: "a", rev: undefined } },
      {
        name: "B",
        variables: { name: "b", rev: "2" },
        mimeType: "text/csv",
        size: 3,
        meta: { k: 1 },
      },
    ],
    { elements: 10, resultLength: 10_000 },
  );
  assert.equal(listed, [
    { uri: "x://files/a", mimeType: "text/plain", name: "A" },
    { uri: "x://files/b?rev=2", mimeType: "text/csv", name: "B", size: 3, _meta: { k: 1 } },
  ]);
});

test("a result that is no list of readable instances is refused", async () => {
  const wrong = [
    "text",
    [null],
    [{ variables: { name: "a" } }],
    [{ name: "A", variables: {} }],
    [{ name: "A", variables: { name: ".." } }],
    [{ name: "A", variables: { name: "a", other: "b" } }],
    [{ name: "A", variables: { name: "a" }, size: "big" }],
    Array.from({ length: 11 }, () => ({ name: "A", variables: { name: "a" } })),
  ];
  for (const returned of wrong) {
    const listed = toListedResources(file, returned, { elements: 10, resultLength: 300 });
    const problem = await listed.catch((error: unknown) => error);
    assert.instance(problem, InvalidResultError, JSON.stringify(returned));
  }
});

test("the error about a wrong instance names the instance and the problem", async () => {
  const problemsOf = async (instance: object): Promise<readonly string[]> => {
    const right = { name: "A", variables: { name: "a" } };
    const listed = toListedResources(file, [right, instance], { elements: 9, resultLength: 999 });
    const problem = await listed.catch((error: unknown) => error);
    return problem instanceof InvalidResultError ? problem.problems : [];
  };
  assert.equal(await problemsOf({ variables: { name: "a" } }), [
    "/1: it has no name, or a field that no resource has in this form",
  ]);
  assert.equal(await problemsOf({ name: "A", variables: { name: "a/b" } }), [
    '/1: its variables cannot be read from its URI: those of a path are not empty, "." or "..", hold no slash that the template does not allow, and, without `raw: true`, nothing that some file systems take for another place',
  ]);
});

test("resources/list has the instances after the resources, page by page", async () => {
  const list = () => ["a", "b", "c"].map((name) => ({ name, variables: { name } }));
  const engine = sampleEngine({
    pageSize: 2,
    resources: [{ definition: { uri: "x://help", name: "help" }, text: "" }],
    resourceTemplates: [{ ...file, list: () => list }],
  });
  const first = await engine.resources.list({}, caller);
  assert.equal(names(first), ["help", "a"]);
  const second = await engine.resources.list({ cursor: first.nextCursor }, caller);
  assert.equal([names(second), second.nextCursor], [["b", "c"], undefined]);
  await refusal(-32602, () => engine.resources.list({ cursor: "x" }, caller));
  assert.is(engine.capabilities.resources?.listChanged, true);
});

test("the error of a list handler is answered without details", async () => {
  const list = (): never => {
    throw new Error("secret");
  };
  const engine = sampleEngine({ resourceTemplates: [{ ...file, list }] });
  const message = await refusal(-32603, () => engine.resources.list({}, caller));
  assert.not.match(message, "secret");
});

function names(page: { readonly resources: readonly { readonly name: string }[] }): string[] {
  return page.resources.map(({ name }) => name);
}

test.run();
