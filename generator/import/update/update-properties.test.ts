import { isDeepStrictEqual } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseDocument, type Document } from "yaml";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import {
  firstImport,
  OPEN,
  updated,
  type ImportedProject,
  type UpdatedProject,
} from "../../testing/harness/projects/imported-project.js";
import { randomNumbers } from "../../testing/harness/runner/random-numbers.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";
import { importedItems, toolsOf } from "./import-entry.js";
import { readRecord } from "./import-record.js";

type Random = (below: number) => number;
type Path = readonly (string | number)[];

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[random(items.length)];

/** The parts of an operation that are changed. */
interface Operation {
  id: string;
  readonly method: string;
  readonly route: string;
  summary: string;
  description: string;
  parameters: Map<string, JsonObject>;
  bodyFields: Map<string, JsonObject>;
  usesSchema: boolean;
}

/** A document with random changes; names and texts are never used twice. */
class ChangingDocument {
  readonly #random: Random;
  readonly operations = new Map<string, Operation>();
  readonly #schema = new Map<string, JsonObject>([["name", { type: "string" }]]);
  #count = 0;
  #url = "https://one.example";

  constructor(random: Random) {
    this.#random = random;
    for (let count = 0; count < 3; count += 1) this.#add();
  }

  #new(what: string): string {
    return `${what}${(this.#count += 1)}`;
  }

  #add(): void {
    const random = this.#random;
    const id = this.#new("call");
    const [method = "get"] = [pick(random, ["get", "get", "post", "put", "delete"])];
    const route = `/${random(2) === 0 ? "a" : "b"}/${id}`;
    const operation: Operation = {
      ...{ id, method, route, summary: this.#new("Says "), description: this.#new("It does ") },
      parameters: new Map(),
      bodyFields: new Map(),
      usesSchema: random(2) === 0,
    };
    for (let count = random(4); count > 0; count -= 1) this.#addParameter(operation);
    this.operations.set(`${method.toUpperCase()} ${route}`, operation);
  }

  #addParameter({ method, parameters, bodyFields }: Operation): void {
    const isBody = (method === "post" || method === "put") && this.#random(2) === 0;
    const target = isBody ? bodyFields : parameters;
    target.set(this.#new("p"), { type: "integer", maximum: 1_000 + this.#random(1_000) });
  }

  /** Makes one random change. */
  change(): void {
    const random = this.#random;
    const operation = pick(random, [...this.operations.values()]);
    const kind = random(10);
    if (operation === undefined || kind === 0) return this.#add();
    const { parameters, bodyFields } = operation;
    const name = pick(random, [...parameters.keys(), ...bodyFields.keys()]);
    const fields = bodyFields.has(name ?? "") ? bodyFields : parameters;
    if (kind === 1) {
      this.operations.delete(`${operation.method.toUpperCase()} ${operation.route}`);
    } else if (kind === 2) operation.summary = this.#new("Says ");
    else if (kind === 3) operation.description = this.#new("It does ");
    else if (kind === 4) operation.id = this.#new("call");
    else if (kind === 5) this.#addParameter(operation);
    else if (kind === 6 && name !== undefined) fields.delete(name);
    else if (kind === 7 && name !== undefined) {
      fields.set(name, {
        type: "integer",
        maximum: 3_000 + random(1_000),
        description: this.#new("How "),
      });
    } else if (kind === 8) this.#schema.set(this.#new("s"), { type: "string" });
    else this.#url = `https://${this.#new("host")}.example`;
  }

  get value(): JsonObject {
    const paths: Record<string, JsonObject> = {};
    for (const operation of this.operations.values()) {
      paths[operation.route] = {
        ...paths[operation.route],
        [operation.method]: valueOf(operation),
      };
    }
    const item = { type: "object", properties: Object.fromEntries(this.#schema) };
    return {
      openapi: "3.1.0",
      info: { title: "Calls" },
      servers: [{ url: this.#url }],
      paths,
      components: { schemas: { Item: item } },
    };
  }
}

function valueOf({
  id,
  summary,
  description,
  parameters,
  bodyFields,
  usesSchema,
}: Operation): JsonObject {
  const schema = { $ref: "#/components/schemas/Item" };
  const fields = { type: "object", properties: Object.fromEntries(bodyFields) };
  return {
    operationId: id,
    summary,
    description,
    parameters: [...parameters].map(([name, own]) => ({ name, in: "query", schema: own })),
    ...(bodyFields.size > 0 && {
      requestBody: { content: { "application/json": { schema: fields } } },
    }),
    responses: usesSchema ? { 200: { content: { "application/json": { schema } } } } : {},
  };
}

/** Makes random edits of the manifest and records them, since no update may undo them. */
class Author {
  readonly #random: Random;
  /** The edited values; `owner` is an operation, or the name of a tool that was not imported. */
  readonly values: { readonly owner: string; readonly path: Path; readonly value: JsonValue }[] =
    [];
  readonly deleted = new Set<string>();
  readonly comments = new Map<string, string>();
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Makes one random edit. */
  edit(manifest: string): string {
    const random = this.#random;
    const document = parseDocument(manifest);
    const items = importedItems(document.toJS() as JsonObject, "calls");
    const item = pick(random, items);
    const marker = `mine ${(this.#count += 1)}`;
    const kind = random(8);
    if (item === undefined || kind === 0) {
      const own = {
        name: `own${this.#count}`,
        description: marker,
        inputSchema: { type: "object" },
      };
      this.values.push({ owner: own.name, path: [], value: own });
      document.addIn(["tools"], document.createNode(own));
      return document.toString({ lineWidth: 0 });
    }
    const { index, at, tool } = item;
    const set = (path: Path, value: JsonValue): string => {
      this.#forget(at, path);
      this.values.push({ owner: at, path, value });
      document.setIn(["tools", index, ...path], value);
      return document.toString({ lineWidth: 0 });
    };
    if (kind === 1) return set(["description"], marker);
    if (kind === 2) return set(["name"], `mine_${this.#count}`);
    if (kind === 3) return set(["http", "x-mine"], marker);
    if (kind === 4) return this.#comment(manifest, document, at, index, marker);
    if (kind === 5 && this.deleted.size < 3) {
      this.deleted.add(at);
      for (const [comment, owner] of this.comments) if (owner === at) this.comments.delete(comment);
      this.#forget(at, []);
      document.deleteIn(["tools", index]);
      const text = document.toString({ lineWidth: 0 });
      for (const comment of this.comments.keys()) {
        // The library may remove a comment together with the item after it.
        if (!text.includes(comment)) this.comments.delete(comment);
      }
      return text;
    }
    const { properties = {} } = tool["inputSchema"] as { properties?: JsonObject };
    const argument = pick(random, Object.keys(properties));
    if (argument === undefined) return set(["title"], marker);
    const path = ["inputSchema", "properties", argument];
    return random(2) === 0
      ? set([...path, "maximum"], this.#count)
      : set([...path, "minimum"], -this.#count);
  }

  /** Forgets the edits of tools that were removed. */
  forgetAll(isGone: (owner: string) => boolean): void {
    const kept = this.values.filter(({ owner }) => !isGone(owner));
    this.values.splice(0, this.values.length, ...kept);
    for (const [comment, owner] of this.comments) if (isGone(owner)) this.comments.delete(comment);
  }

  /** Forgets the edits at a path and inside it, which a new edit replaces. */
  #forget(owner: string, path: Path): void {
    const stays = (other: { owner: string; path: Path }): boolean =>
      other.owner !== owner || !path.every((segment, index) => other.path[index] === segment);
    const kept = this.values.filter(stays);
    this.values.splice(0, this.values.length, ...kept);
  }

  #comment(
    manifest: string,
    document: Document,
    at: string,
    index: number,
    marker: string,
  ): string {
    const { items } = document.getIn(["tools", index]) as {
      items: { value: { range?: number[] } | null }[];
    };
    const offset = pick(this.#random, items)?.value?.range?.[0];
    if (offset === undefined) return manifest;
    const start = manifest.lastIndexOf("\n", offset) + 1;
    const before = /^ +(?=\S)/.exec(manifest.slice(start))?.[0] ?? "";
    // Only lines of the item itself or of a block directly within it get comments.
    if (before.length > 4) return manifest;
    this.comments.set(`# ${marker}\n`, at);
    return `${manifest.slice(0, start)}${before}# ${marker}\n${manifest.slice(start)}`;
  }
}

function valueAt(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, segment) => (inner as JsonObject | undefined)?.[segment],
    value,
  );
}

/** The texts of the tools, by operation or name. */
function textsOf(manifest: string): Map<string, string> {
  const loaded = loadManifest("mcp.yaml", Buffer.from(manifest)).manifest;
  const lines = manifest.split("\n");
  const tools = toolsOf(loaded?.value ?? {}) as JsonObject[];
  return new Map(
    tools.map((tool, index) => {
      const { at } = (tool["x-import"] ?? {}) as { at?: string };
      const place = loaded?.locate(["tools", index], "value") ?? NOWHERE;
      const { line, column, endLine, endColumn } = place;
      const own = lines.slice(line - 1, endLine);
      own.push((own.pop() ?? "").slice(0, endColumn - 1));
      const text = own.join("\n");
      return [at ?? String(tool["name"]), text.slice(column - 1)];
    }),
  );
}

const NOWHERE = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** The state of one random run. */
interface RandomRun {
  readonly document: ChangingDocument;
  readonly author: Author;
  /** Operations that were selected. */
  readonly selected: Set<string>;
}

/** Checks the properties of an update. */
function checkUpdate(
  before: ImportedProject,
  after: UpdatedProject,
  { document, author, selected }: RandomRun,
  isPruning: boolean,
  say: (what: string) => string,
): void {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(after.manifest));
  const problems = manifest === undefined ? diagnostics : validateManifest(manifest);
  assert.equal(
    problems.filter(({ severity }) => severity === "error"),
    [],
    say("it is valid"),
  );
  assert.ok(after.update.written, say("it can be written"));
  const importedTools = new Map(
    importedItems(after.value, "calls").map(({ at, tool }) => [at, tool]),
  );
  for (const at of importedTools.keys())
    assert.ok(selected.has(at), say(`${at} was not asked for`));
  for (const at of author.deleted) assert.not.ok(importedTools.has(at), say(`${at} stays deleted`));
  const own = new Map(
    (toolsOf(after.value) as JsonObject[]).map((tool) => [String(tool["name"]), tool]),
  );
  const isPruned = (owner: string) =>
    isPruning && !document.operations.has(owner) && !own.has(owner);
  author.forgetAll(isPruned);
  for (const { owner, path, value } of author.values) {
    const actual = valueAt(importedTools.get(owner) ?? own.get(owner), path);
    assert.equal(actual, value, say(`an edit of ${owner} at ${path.join(".")}`));
  }
  for (const comment of author.comments.keys()) {
    assert.ok(after.manifest.includes(comment), say(`the comment ${comment}`));
  }
  const [textsBefore, textsAfter] = [textsOf(before.manifest), textsOf(after.manifest)];
  const changed = new Set([...after.update.updated, ...after.update.added]);
  for (const [owner, text] of textsAfter) {
    const name = String((importedTools.get(owner) ?? own.get(owner))?.["name"]);
    if (!changed.has(name)) assert.is(text, textsBefore.get(owner), say(`the text of ${owner}`));
  }
  const [head] = before.manifest.split(/^env:/m);
  assert.ok(after.manifest.startsWith(head ?? ""), say("what is before it all"));
  // A tool without edits equals the tool of a first import, but for the names that it had.
  const record = readRecord(after.record)?.get("calls");
  const edited = new Set([...author.values.map(({ owner }) => owner), ...author.comments.values()]);
  for (const [at, tool] of importedTools) {
    if (edited.has(at)) continue;
    const { renamedFrom: _, ...present } = tool;
    assert.ok(isDeepStrictEqual(present, record?.tools.get(at)), say(`${at} follows the document`));
  }
  const again = updated(after, document.value);
  assert.is(again.manifest, after.manifest, say("it is the same at the second time"));
  assert.is(again.record, after.record, say("so is the record"));
  assert.not.ok(again.codes.includes("MW6140"), say("a conflict is said once"));
}

test("updates lose no edit, add only selected operations, and keep unchanged text byte for byte", () => {
  let conflicts = 0;
  let updates = 0;
  for (let seed = 1; seed <= shortOrLong(8, 500); seed += 1) {
    const random = randomNumbers(seed);
    const document = new ChangingDocument(random);
    const author = new Author(random);
    const selected = new Set(document.operations.keys());
    let project = firstImport(document.value);
    for (let step = 0; step < 16; step += 1) {
      const kind = random(3);
      if (kind === 0) {
        document.change();
        document.change();
      } else if (kind === 1) project = { ...project, manifest: author.edit(project.manifest) };
      else {
        const named = random(3) === 0 ? pick(random, [...document.operations.keys()]) : undefined;
        if (named !== undefined) {
          selected.add(named);
          author.deleted.delete(named);
        }
        const isPruning = random(4) === 0;
        const selection = { ...OPEN, operations: named === undefined ? [] : [named] };
        const after = updated(project, document.value, { selection, isPruning });
        const before = project;
        const say = (what: string) =>
          `${what}: seed ${seed}, step ${step}\n${before.manifest}\n=>\n${after.manifest}\n${after.said}`;
        checkUpdate(project, after, { document, author, selected }, isPruning, say);
        conflicts += after.codes.filter((code) => code === "MW6140").length;
        updates += after.update.updated.length;
        project = after;
      }
    }
  }
  assert.ok(conflicts > 0, `the edits meet the changes: ${conflicts}`);
  assert.ok(updates > 15, `the changes come: ${updates}`);
});

test.run();
