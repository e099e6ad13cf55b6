import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { packageRoot } from "../text/package-root.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { fixManifest } from "./fix-manifest.js";

/** Valid manifests in which a typist errs, again and again. */

const EXAMPLES = ["files", "members", "minimal", "replicas", "transports", "weather"];
const MISTAKES_OF_EACH = 14;

const load = (text: string) => loadManifest("mcp.yaml", Buffer.from(text));
const validate = (text: string): Promise<Diagnostic[]> => {
  const { manifest, diagnostics } = load(text);
  return Promise.resolve(
    manifest === undefined ? [...diagnostics] : [...diagnostics, ...validateManifest(manifest)],
  );
};

type Pick = <One>(list: readonly One[]) => One | undefined;
type Mistake = (text: string, pick: Pick) => string;

/** Replaces one of the places that a pattern finds. */
const replacing =
  (pattern: RegExp, replace: (found: string) => string): Mistake =>
  (text, pick) => {
    const found = pick([...text.matchAll(pattern)]);
    if (found === undefined) return text;
    const [part] = found;
    return text.slice(0, found.index) + replace(part) + text.slice(found.index + part.length);
  };

const swapped = (word: string): string => {
  const at = word.length >> 1;
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
};

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "swaps two letters of a key": replacing(/\b[a-z]\w{4,}(?=:)/gi, swapped),
  "swaps two letters of a value": replacing(/(?<=: )[a-z]\w{4,}\b/gi, swapped),
  "writes a key in another notation": replacing(/\b[a-z]+[A-Z]\w+(?=:)/g, (key) =>
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ),
  "puts a number or a boolean into quotes": replacing(
    /(?<=: )(?:\d+|true|false)\b/g,
    (value) => `"${value}"`,
  ),
  "writes a value with a capital": replacing(/(?<=: )[a-z]+\b/g, (value) =>
    value.replace(/^./, (letter) => letter.toUpperCase()),
  ),
  "takes a list apart": replacing(/(?<=: )\[\w+\]/g, (list) => list.slice(1, -1)),
  "repeats an item": replacing(/(?<=: \[)\w+(?=[,\]])/g, (item) => `${item}, ${item}`),
  "loses a character": replacing(/[^\n]/g, () => ""),
  "types a sign too many": (text, pick) =>
    replacing(/(?=.)/g, () => pick([..."{:[\"'#-&*, \t%@"]) ?? "")(text, pick),
};

for (const example of EXAMPLES) {
  test(`in ${example}, fixes of random mistakes touch nothing else, and come to an end`, async () => {
    const original = readFileSync(new URL(`examples/${example}/mcp.yaml`, packageRoot), "utf8");
    assert.is((await fixManifest("mcp.yaml", original, validate)).text, original);
    const random = randomNumbers(EXAMPLES.indexOf(example) + 52);
    const pick: Pick = (list) => list[random(list.length)];
    let restored = 0;
    for (let count = 0; count < MISTAKES_OF_EACH; count++) {
      const [name, err] = pick(Object.entries(MISTAKES)) ?? ["", (text: string) => text];
      const mistaken = err(original, pick);
      const { text, fixed } = await fixManifest("mcp.yaml", mistaken, validate);
      const words = `${example} ${count} ${name}`;
      if (load(mistaken).manifest !== undefined) assert.ok(load(text).manifest, words);
      assert.is((await fixManifest("mcp.yaml", text, validate)).text, text, words);
      if (text === mistaken) continue;
      assert.ok(fixed.length > 0, words);
      assertOthersStay(mistaken, text, fixed, words);
      if (
        JSON.stringify(load(text).manifest?.value) ===
        JSON.stringify(load(original).manifest?.value)
      )
        restored++;
    }
    assert.ok(restored > 1, `${restored} of ${MISTAKES_OF_EACH} came back as they were`);
  });
}

/** Every line that no fix names is still there, in its order. */
function assertOthersStay(
  before: string,
  after: string,
  fixed: readonly Diagnostic[],
  words: string,
): void {
  const touched = new Set(
    fixed.flatMap(({ fix }) => (fix?.edits ?? []).flatMap(({ line, endLine }) => [line, endLine])),
  );
  let rest = after.split("\n");
  for (const [index, line] of before.split("\n").entries()) {
    if (touched.has(index + 1)) continue;
    const at = rest.indexOf(line);
    assert.ok(at !== -1, `${words}: line ${index + 1} is gone: ${line}`);
    rest = rest.slice(at + 1);
  }
}

test.run();
