import { test } from "uvu";
import * as assert from "uvu/assert";
import { multipartBody } from "../../../../templates/runtime/upstreams/multipart.js";
import * as runtime from "../../../../templates/runtime/upstreams/styles.js";
import type { JsonValue } from "../../../model/json.js";
import {
  randomNumbers,
  type RandomNumbers,
} from "../../../testing/harness/runner/random-numbers.js";
import {
  BOUNDARY,
  multipartText,
  pathText,
  queryTexts,
  type ExpectedStyle,
} from "./request-texts.js";

/** The table of OpenAPI 3.1, "Style Examples", for `color`. */
const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

test("values in requests are written as OpenAPI's table of styles says", () => {
  const name = "color";
  for (const [style, explode, value, expected] of [
    ["matrix", false, "blue", ";color=blue"],
    ["matrix", false, list, ";color=blue,black,brown"],
    ["matrix", false, object, ";color=R,100,G,200,B,150"],
    ["matrix", true, list, ";color=blue;color=black;color=brown"],
    ["matrix", true, object, ";R=100;G=200;B=150"],
    ["label", false, list, ".blue,black,brown"],
    ["label", true, list, ".blue.black.brown"],
    ["label", true, object, ".R=100.G=200.B=150"],
    ["simple", false, object, "R,100,G,200,B,150"],
    ["simple", true, object, "R=100,G=200,B=150"],
  ] as const) {
    assert.is(pathText(value as JsonValue, { style, explode, name }), expected);
  }
  for (const [style, explode, value, expected] of [
    ["form", false, "blue", "color=blue"],
    ["form", false, list, "color=blue,black,brown"],
    ["form", false, object, "color=R,100,G,200,B,150"],
    ["form", true, list, "color=blue&color=black&color=brown"],
    ["form", true, object, "R=100&G=200&B=150"],
    ["spaceDelimited", false, list, "color=blue%20black%20brown"],
    ["pipeDelimited", false, list, "color=blue%7Cblack%7Cbrown"],
    ["deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ] as const) {
    assert.is(queryTexts(name, value as JsonValue, { style, explode }).join("&"), expected);
  }
});

test("the runtime and the contracts write the same texts of requests", () => {
  const random = randomNumbers(7);
  for (let round = 0; round < 5_000; round++) {
    const [value, style, inPath] = [randomValue(random, 2), queryStyle(random), pathStyle(random)];
    const name = ["color", "a b", "x[y]", 'q"é'][random(4)] ?? "";
    const description = JSON.stringify({ name, value, style, inPath });
    const styled = runtime.styled(value, style as never);
    assert.equal(queryTexts(name, value, style), runtime.queryParts(name, styled), description);
    assert.equal(queryTexts(name, value), runtime.queryParts(name, value), description);
    const styledPath = runtime.styled(value, { ...inPath, name } as never);
    assert.is(pathText(value, { ...inPath, name }), runtime.pathText(styledPath), description);
    assert.is(pathText(value, {}), runtime.pathText(value), description);
    const form = multipartBody({ [name]: value, styled });
    const boundary = /boundary=(.*)$/.exec(form.type)?.[1] ?? "";
    const expected = multipartText([
      [name, value, undefined],
      ["styled", value, style],
    ]);
    assert.is(expected, String(form.body).replaceAll(boundary, BOUNDARY), description);
  }
});

function queryStyle(random: RandomNumbers): ExpectedStyle {
  const styles = ["form", "spaceDelimited", "pipeDelimited", "deepObject", "json"];
  return {
    ...(random(5) > 0 && { style: styles[random(styles.length)] ?? "" }),
    ...(random(2) > 0 && { explode: random(2) > 0 }),
    ...(random(3) === 0 && { allowReserved: true }),
  };
}

function pathStyle(random: RandomNumbers): ExpectedStyle {
  const style = ["simple", "label", "matrix"][random(3)] ?? "";
  return { style, ...(random(2) > 0 && { explode: random(2) > 0 }) };
}

const TEXTS = ["", "blue", "a b", "a/b?c#d&e=f+g", "é€😀", "100%", "it's (a) *test*!", "x,y|z~"];

function randomValue(random: RandomNumbers, depth: number): JsonValue {
  const kind = random(depth > 0 ? 6 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random(100) / 4;
  if (kind === 2) return random(2) === 0;
  if (kind === 3) return TEXTS[random(TEXTS.length)] ?? "";
  const items = Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
  return kind === 4
    ? items
    : Object.fromEntries(items.map((item, index) => [`${TEXTS[index + 1]}`, item]));
}

test.run();
