import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import MiniSearch from "minisearch";
import type { SearchEntry } from "../../templates/runtime/search/definition.js";
import { ToolIndex } from "../../templates/runtime/search/tool-index.js";
import { loadManifest } from "../1-load/load.js";
import { normalize } from "../3-normalize/normalize.js";
import { searchWords } from "../5-emit/modules/search-words.js";
import { importOpenApi } from "../import/import-openapi.js";
import { readDocument } from "../import/read-document.js";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { Manifest } from "../model/manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { installPackage } from "./cached-package.js";

/**
 * Judges how well tools are found: questions that people ask, over all operations of GitHub's document, beside a
 * plain match of words and beside the library minisearch; and how long a search takes over many tools.
 * `npm run measure:search -- [FILE OF QUESTIONS] [--missed]`; the document is kept in `node_modules/.cache`.
 */

/** A question, and the names of the tools that are right. */
type Question = readonly [question: string, ...right: string[]];

/** Finds names of tools, the best first. */
type Find = (query: string) => readonly string[];

const FIRST = 5;
const MANY_TOOLS = 10_000;
const FIXTURES = new URL("../../../generator/testing/fixtures/", import.meta.url);

const everything = { tags: [], paths: ["/**"], methods: [], operations: [], exclude: [] };

/** The server of all operations of GitHub's document. */
async function gitHubServer(): Promise<ServerModel> {
  const root = await installPackage("@octokit/openapi", "23.0.2");
  const path = join(root, "node_modules/@octokit/openapi/generated/api.github.com.json");
  const read = readDocument("api.github.com.json", readFileSync(path));
  if ("problem" in read) throw new Error(read.problem.message);
  const { manifest: text = "" } = importOpenApi(read.document, {
    ...{ selection: everything, withOutput: false, recordedPath: path },
    place: commandLinePlace(0),
  });
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  return normalize(manifest?.value as unknown as Manifest);
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

/** Prints how long a search takes over so many tools as this, each with a word of its own. */
function time(entries: readonly SearchEntry[], questions: readonly Question[]): void {
  const many = Array.from({ length: MANY_TOOLS }, (_, number) => {
    const entry = entries[number % entries.length] as SearchEntry;
    const heading = `${entry.heading} number${number}`;
    return { ...entry, name: `${entry.name}_${number}`, heading };
  });
  const before = performance.now();
  const find = ownSearch(many);
  const made = performance.now() - before;
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    for (const [question] of questions) {
      const start = performance.now();
      find(question);
      times.push(performance.now() - start);
    }
  }
  times.sort((one, other) => one - other);
  const at = (share: number): string =>
    (times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(2);
  console.log(
    `\n${MANY_TOOLS} tools: the index is made in ${made.toFixed(0)} ms, once the server is up`,
  );
  console.log(
    `${times.length} searches: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`,
  );
}

const [file = "github-questions.json"] = process.argv
  .slice(2)
  .filter((word) => word !== "--missed");
const questions = JSON.parse(readFileSync(new URL(file, FIXTURES), "utf8")) as Question[];
const server = await gitHubServer();
const entries = server.tools.map((tool) => ({
  name: tool.name,
  reads: (tool.wire["annotations"] as Tool["annotations"])?.readOnlyHint === true,
  ...searchWords(tool),
}));
console.log(`${questions.length} questions over ${entries.length} tools`);
judge("plain words", plainWords(server), questions, false);
judge("minisearch", miniSearch(server), questions, false);
judge("search_tools", ownSearch(entries), questions, process.argv.includes("--missed"));
time(entries, questions);
