import { existsSync, readdirSync, readFileSync } from "node:fs";
import { packageRoot } from "../../../text/package-root.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../../model/json.js";
import { test } from "uvu";
import { skipTest } from "./skipped-test.js";

/*
 * Cases and data that are not part of this package may lie beside its checkout, in `../shared`.
 * Tests of them are skipped where they do not. Cases of our own are in `fixtures/` and always there.
 */

const shared = new URL("../shared/", packageRoot);
const fixtures = new URL("generator/testing/fixtures/", packageRoot);

export const SCHEMA_SUITE = "data/json-schema-test-suite/draft2020-12/";
export const REAL_TOOLS = "data/real-tools/github/";

/** A file or folder of `../shared`; undefined where it is absent. */
export function sharedUrl(path: string): URL | undefined {
  const url = new URL(path, shared);
  return existsSync(url) ? url : undefined;
}

/** A file of our own cases. */
export const fixtureUrl = (name: string): URL => new URL(name, fixtures);

/** Declares a test of a file or folder of `../shared`, which is skipped where that is absent. */
export function testShared(
  title: string,
  path: string,
  check: (url: URL) => void | Promise<void>,
): void {
  const url = sharedUrl(path);
  if (url === undefined) skipTest(title, `../shared/${path} is absent`);
  else test(title, () => check(url));
}

/** A group of tests as the JSON Schema Test Suite has them. */
export interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** Groups of our own, a few for each keyword. */
export function readOwnGroups(): SuiteGroup[] {
  return readJson(fixtureUrl("schema-cases.json")) as SuiteGroup[];
}

/** Tools of our own, as servers that people use define them. */
export function readOwnTools(): JsonObject[] {
  return readJson(fixtureUrl("usual-tools.json")) as JsonObject[];
}

/** The JSON files below a folder, by their paths in it and in their order. */
export function readJsonFiles(folder: URL): { readonly name: string; readonly content: unknown }[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, content: readJson(new URL(name, folder)) }));
}

/** The tools of a real server that a folder of `../shared` holds, a file each. */
export function readTools(folder: URL): JsonObject[] {
  return readJsonFiles(folder).map(({ content }) => content as JsonObject);
}

function readJson(url: URL): unknown {
  return JSON.parse(readFileSync(url, "utf8"));
}
