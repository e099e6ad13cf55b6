import { test } from "uvu";
import * as assert from "uvu/assert";
import { appDocument } from "./app-page.js";

test("no text of a page ends the element that contains it", () => {
  const view = { tool: "a", title: "</script><!--<script>$& $1", members: [] };
  const page = appDocument(`<p><script type="x" id="data"></script>`, view);
  const [, data = ""] = /id="data">(.*)<\/script>$/.exec(page) ?? [];
  assert.not.match(data, "<");
  assert.equal(JSON.parse(data), view);
});

test.run();
