import { test } from "uvu";
import * as assert from "uvu/assert";
import { plainText } from "./texts.js";

test("the tags of HTML are taken out of a text", () => {
  const CASES: readonly (readonly [html: string, text: string])[] = [
    ["an <b>important</b> thing", "an important thing"],
    ["one<br>two<br/>three<BR />four", "one two three four"],
    ['see <a href="https://a.example">the site</a>', "see the site"],
    ["<p>first<p>second", "first second"],
    ["<ul><li>one<li>two</ul>", "one two"],
    ["<strong>a</strong>, <code>b</code> and <em>c</em>", "a , b and c"],
    ['<div class="x">text', "text"],
    ["a <!-- <b> --> b", "a b"],
    ["ends</i> here", "ends here"],
  ];
  for (const [html, text] of CASES) assert.is(plainText(html), text, html);
});

test("a text in angle brackets that is no HTML stays", () => {
  for (const text of [
    "a List<String> of Map<K, V>",
    "Array<Object>, Set<Address> and Option<Data>",
    "write <text> or <your-key>",
    "Bearer <token>",
    "the <title> of the <object>",
    "a<b and c>d",
    "1 < 2 > 0",
    "std::vector<int>",
    "<SecurityDefinitions />",
    "<id>:<name>",
  ]) {
    assert.is(plainText(text), text);
  }
  assert.is(plainText("&lt;b&gt; is <b>bold</b>"), "<b> is bold");
  assert.is(plainText("a<b and c>d, <b>bold</b>"), "a<b and c>d, bold");
});

test.run();
