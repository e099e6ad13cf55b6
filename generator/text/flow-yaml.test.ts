import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { flowYaml } from "./flow-yaml.js";

test("a value in a line of YAML reads back as itself", () => {
  const texts = [
    ...["ls", "-la", "--all", "@x/y", "a b", " a", "a ", "a: b", "a:", "a:b", "a #b", "a#b"],
    ...["https://a.example/x?y=1", "yes", "null", "~", "3", "-3", ".5", "1.0.0", "- a", "-", "--"],
    ...[
      "{{a}}",
      "a,b",
      "[a]",
      "a]",
      "'a'",
      '"a"',
      "*a",
      "&a",
      "!a",
      "%a",
      "",
      "a\nb",
      "ä",
      "./a",
      "../a",
    ],
  ];
  for (const text of texts) {
    assert.equal(parse(`[${flowYaml(text)}]`), [text], text);
    assert.equal(parse(`{a: ${flowYaml(text)}}`), { a: text }, text);
    assert.equal(parse(`{${flowYaml(text)}: a}`), { [text]: "a" }, text);
  }
  for (const value of [[1, true, null], { a: ["b", { c: "d" }] }]) {
    assert.equal(parse(flowYaml(value)), value);
  }
});

test("a text has quotes only where YAML needs them", () => {
  assert.is(flowYaml(["npx", "-y", "@x/y"]), '[npx, -y, "@x/y"]');
  assert.is(flowYaml({ baseUrl: "https://a.example" }), "{baseUrl: https://a.example}");
});

test.run();
