import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ResourceTemplateModel, UriTemplatePart } from "../../model/server-model.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { resourcesContract } from "./resource-contracts.js";
import { escapingUris, matchingUris } from "./uri-instances.js";

const literal = (text: string): UriTemplatePart => ({ kind: "literal", text });
const expression = (
  operator: "" | "+" | "/" | "." | "?",
  names: string[],
  explode = false,
): UriTemplatePart => ({ kind: "expression", operator, names, explode });

function template(...parts: UriTemplatePart[]): ResourceTemplateModel {
  const [base] = weatherModel.resourceTemplates;
  return { ...(base as ResourceTemplateModel), parts };
}

test("each kind of expression is expanded with a value that needs encoding", () => {
  const all = template(
    literal("x://"),
    expression("", ["a"]),
    expression("/", ["b"]),
    expression(".", ["c"]),
    literal("/"),
    expression("+", ["d"]),
    expression("/", ["e"], true),
  );
  assert.equal(matchingUris(all), [
    {
      uri: "x://a%26b%20%C3%A9/a%26b%20%C3%A9.a%26b%20%C3%A9/%C3%BCber/all/first%20%C3%A9/second",
      variables: {
        a: "a&b é",
        b: "a&b é",
        c: "a&b é",
        d: "über/all",
        e: ["first é", "second"],
      },
    },
  ]);
});

test("matching URIs have the variables of a query in both orders, and without them", () => {
  const uris = matchingUris(template(literal("x://y"), expression("?", ["a", "b"])));
  assert.equal(uris, [
    { uri: "x://y?a=q1%3D%C3%A9%26&b=q2%3D%C3%A9%26", variables: { a: "q1=é&", b: "q2=é&" } },
    { uri: "x://y?b=q2%3D%C3%A9%26&a=q1%3D%C3%A9%26", variables: { b: "q2=é&", a: "q1=é&" } },
    { uri: "x://y", variables: {} },
  ]);
});

test("escaping URIs have values that would lead out of their template", () => {
  assert.equal(escapingUris(template(literal("x://"), expression("", ["a"]), literal("/z"))), [
    "x://../z",
    "x://%2e%2e/z",
    "x://%zz/z",
  ]);
  assert.equal(escapingUris(template(literal("x://y"), expression("?", ["a"]))), []);
});

test("a URI that another template may match is left out of the contract", () => {
  const [base] = weatherModel.resourceTemplates;
  const near = template(literal("weather://"), expression("+", ["rest"]));
  const far = template(literal("other://"), expression("", ["id"]));
  const named = (item: ResourceTemplateModel, name: string) => ({ ...item, name });
  const { templates } = resourcesContract({
    ...weatherModel,
    resourceTemplates: [base as ResourceTemplateModel, named(near, "near"), named(far, "far")],
  });
  assert.equal(
    templates.map(({ matching }) => matching.length),
    [0, 1, 1],
  );
});

test.run();
