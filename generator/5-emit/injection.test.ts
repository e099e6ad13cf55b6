import { isDeepStrictEqual } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import { everyHostileManifest } from "../testing/harness/random/hostile-manifests.js";
import {
  differences,
  emitModel,
  projectShape,
  rawCharacters,
  wrongValues,
} from "../testing/harness/oracles/injection-oracle.js";
import { InjectionRounds } from "../testing/lab/fuzz/injection-rounds.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

/** No string of a manifest becomes anything but a string, whichever file it reaches. */

/** Strings that `npm test` puts into slots; `npm run fuzz:injection` puts in as many as are asked for. */
const STRINGS = shortOrLong(40, 10_000);

test(`${STRINGS} hostile strings in the slots of a manifest leave its project's shape as it is`, async () => {
  const rounds = await InjectionRounds.prepare();
  for (let seed = 1; seed * rounds.slots < STRINGS + rounds.slots; seed++) await rounds.run(seed);
});

/** Under these keys a string is any text, and under these two so is what lists and objects hold. */
const TEXT_KEYS = new Set(["description", "title", "text", "format", "default", "enum"]);
const VALUE_KEYS = new Set(["default", "enum"]);

const isText = (key: string, value: JsonValue): boolean =>
  TEXT_KEYS.has(key) && (typeof value === "string" || VALUE_KEYS.has(key));

/** A copy of a value in which all texts are replaced, each by another one. */
function harmlessCopy(value: JsonValue): JsonValue {
  let count = 0;
  const copyOf = (part: JsonValue, inText: boolean): JsonValue => {
    if (typeof part === "string") return inText ? harmless(part, `x${count++}`) : part;
    if (Array.isArray(part)) return part.map((item) => copyOf(item, inText));
    if (!isJsonObject(part)) return part;
    const members = Object.entries(part);
    return Object.fromEntries(
      members.map(([key, item]) => [key, copyOf(item, inText || isText(key, item))]),
    );
  };
  return copyOf(value, false);
}

/** Copies of a value in each of which one text is replaced by `x`. */
function* harmlessCopies(value: JsonValue, inText = false): Generator<JsonValue> {
  if (typeof value === "string") {
    if (inText) yield harmless(value);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const copy of harmlessCopies(item, inText)) yield value.with(index, copy);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      for (const copy of harmlessCopies(item, inText || isText(key, item))) {
        yield { ...value, [key]: copy };
      }
    }
  }
}

/** A template keeps its placeholders, which are meant. */
function harmless(text: string, word = "x"): string {
  const parts = text.split(/(\{\{who\}\})/);
  return parts.map((part, index) => (part === "" || index % 2 === 1 ? part : word)).join("");
}

/** What a manifest is compared with: with all texts replaced at once, or with each alone. */
const harmlessTwins = shortOrLong<(value: JsonValue) => Iterable<JsonValue>>(
  (value) => [harmlessCopy(value)],
  harmlessCopies,
);

const cases = everyHostileManifest().filter(({ outcome }) => /^(?:ESCAPE|WARN)/.test(outcome));

for (const { id, outcome, content } of cases) {
  test(`${id}: ${outcome}`, async () => {
    const { manifest } = loadManifest("mcp.yaml", content);
    assert.ok(manifest);
    const diagnostics = validateManifest(manifest);
    if (/REJECT/.test(outcome) && diagnostics.some(({ severity }) => severity === "error")) return;

    const emission = await emitModel(validManifest(manifest.value));
    assert.equal(rawCharacters(emission), []);
    assert.equal(wrongValues(emission, []), []);
    const shape = projectShape(emission);
    let count = 0;
    for (const copy of harmlessTwins(manifest.value)) {
      const twin = await emitModel(validManifest(copy as JsonObject));
      assert.equal(differences(shape, projectShape(twin)), []);
      if (!isDeepStrictEqual(copy, manifest.value)) count++;
    }
    assert.ok(count > 0, "a string was replaced");
  });
}

test.run();
