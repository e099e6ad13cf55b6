import { test } from "uvu";
import * as assert from "uvu/assert";
import { cutAtWord } from "./cut-at-word.js";

test("a text that fits is only put on one line", () => {
  assert.is(cutAtWord(" Says\n the  weather.\n", 17), "Says the weather.");
  assert.is(cutAtWord("🌤".repeat(5), 5), "🌤".repeat(5));
});

test("a longer text is cut after a whole word, within the limit", () => {
  assert.is(cutAtWord("Says the weather.", 16), "Says the…");
  assert.is(cutAtWord("Says the, weather.", 12), "Says the…");
  assert.is(cutAtWord("weather-forecasts", 8), "weather…");
  assert.is(cutAtWord("🌤".repeat(6), 5), `${"🌤".repeat(4)}…`);
  for (let longest = 2; longest < 40; longest += 1) {
    assert.ok(
      [...cutAtWord("It says how the weather is, and will be 🌤 here", longest)].length <= longest,
    );
  }
});

test.run();
