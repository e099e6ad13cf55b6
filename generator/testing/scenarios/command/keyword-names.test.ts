import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { KEYWORDS } from "../../../schema/keywords/index.js";

const generator = fileURLToPath(new URL("generator/", packageRoot));

/**
 * Folders and files that name keywords as they have to: those of the manifest's own schema for its reference, and
 * functions of JMESPath with the names of keywords.
 */
const OTHERS =
  /^(?:testing|schema[/\\]keywords|selection|cli[/\\]reference)[/\\]|^model[/\\]selection\.ts$/;

/** In how many files outside `schema/keywords/` a keyword may be named at most. */
const MOST_FILES: Readonly<Record<string, number>> = {
  multipleOf: 4,
  uniqueItems: 4,
  propertyNames: 3,
  contains: 4,
  prefixItems: 4,
};

/** Whether a text names a keyword: in quotes, alone or among other keywords; after a dot; or as a member. */
function names(text: string, keyword: string): boolean {
  const member = new RegExp(
    `\\.${keyword}\\b|[{,(]\\s*${keyword}\\s*[,}:=]|^\\s*${keyword}\\s*[,:]`,
  );
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:\/\*\*|\*|\/\/)/.test(line))
    .some((line) => member.test(line) || quotedKeywords(line).includes(keyword));
}

/** What stands in quotes in a line, where it is made of keywords alone. */
function quotedKeywords(line: string): string[] {
  const quoted = line.match(/"[^"]*"|'[^']*'|`[^`]*`/g) ?? [];
  return quoted
    .map((text) => text.slice(1, -1).trim().split(/\s+/))
    .filter((words) => words.every((word) => KEYWORDS.has(word)))
    .flat();
}

function filesNaming(keyword: string): string[] {
  const files = readdirSync(generator, { recursive: true, encoding: "utf8" });
  return files.filter((file) => {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) return false;
    if (OTHERS.test(file)) return false;
    return names(readFileSync(join(generator, file), "utf8"), keyword);
  });
}

for (const [keyword, most] of Object.entries(MOST_FILES)) {
  test(`${keyword} occurs in at most ${most} files outside schema/keywords/`, () => {
    const files = filesNaming(keyword);
    assert.ok(files.length <= most, `${files.length}:\n${files.sort().join("\n")}`);
  });
}

test.run();
