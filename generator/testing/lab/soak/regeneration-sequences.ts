import * as assert from "uvu/assert";
import type { ReconcileOptions } from "../../../6-reconcile/decision.js";
import { isUserFile } from "../../../6-reconcile/decide-handler.js";
import type { Renames } from "../../../6-reconcile/renames.js";
import { createHandlerEditor } from "../../../6-reconcile/handlers/handler-editor.js";
import { LOCK_PATH, type Lock } from "../../../6-reconcile/lock.js";
import { readLock } from "../../../6-reconcile/read-lock.js";
import type { SourceEditor } from "../../../6-reconcile/source-editor.js";
import { applyPlan } from "../../../7-apply/apply.js";
import type { ItemId } from "../../../model/output-file.js";
import type { Plan } from "../../../model/plan.js";
import { itemNames } from "../../../text/names.js";
import { applySplices, type Splice } from "../../../text/splice.js";
import { handlerProjectFiles } from "../../harness/projects/handler-project.js";
import { MemoryProject, planFor, ROOT } from "../../harness/projects/memory-project.js";
import {
  checkMergedJson,
  checkMergedLines,
  checkMergedText,
} from "../../harness/oracles/merged-file-oracle.js";
import { baseLinesOf, personsFiles } from "../../harness/projects/persons-files.js";
import { editLikeAPerson, editText } from "../../harness/random/random-edits.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";
import { undoingSplices } from "../../harness/projects/undo-splices.js";

const NAMES = ["alpha", "beta_two", "gamma", "get-delta", "get_delta"];
const ROUNDS = 6;

/** What a run of sequences did. */
export interface SequenceCounts {
  generations: number;
  /** Files of a person's that were looked at after a generation. */
  filesKept: number;
  /** Of these, those that a declared splice changed. */
  filesSpliced: number;
  /** Handlers that came back with their item. */
  returned: number;
  /** Edits of a person by their name. */
  readonly edits: Map<string, number>;
}

export function noCounts(): SequenceCounts {
  return { generations: 0, filesKept: 0, filesSpliced: 0, returned: 0, edits: new Map() };
}

/**
 * Guarantees 1, 3 to 7, 11, 15, 17 over one random sequence: manifests that change, and a person who edits
 * between generations. Throws at the first byte of theirs that changes outside a declared splice.
 */
export function runRegenerationSequence(seed: number, counts = noCounts()): void {
  new RegenerationSequence(seed, counts).run();
}

type Snapshot = Readonly<Record<string, string>>;

class RegenerationSequence {
  private readonly random: (below: number) => number;
  private readonly textRandom: (below: number) => number;
  private readonly project = new MemoryProject();
  private readonly editor = new RecordingEditor();
  private tools: readonly string[] = ["alpha", "gamma"];
  private renames: Renames = new Map();
  private version = 0;
  private options: Partial<ReconcileOptions> = {};

  constructor(
    private readonly seed: number,
    private readonly counts: SequenceCounts,
  ) {
    this.random = randomNumbers(seed);
    this.textRandom = randomNumbers(-seed);
  }

  run(): void {
    for (let round = 0; round < ROUNDS; round++) {
      this.generate();
      this.checkSecondRun();
      editLikeAPerson(this.project, this.random, `${round}`, this.counts.edits);
      editText(this.project, this.textRandom, `${round}`, this.counts.edits);
      this.meddle();
      this.changeManifest();
    }
  }

  /** Edits a generated file or removes the lock, and then uses the option that this needs. */
  private meddle(): void {
    const { random, project } = this;
    const main = "src/main.ts";
    if (random(8) === 0 && project.has(main)) project.edit(main, (text) => `${text}// mine\n`);
    this.options = random(6) === 0 ? { overwriteEdited: true } : {};
    if (random(20) > 0) return;
    if (random(2) > 0) project.remove(LOCK_PATH);
    else project.edit(LOCK_PATH, (text) => text.slice(0, random(text.length)));
    this.options = { adopt: true };
  }

  /** Removes, renames and adds tools, as the rules of the manifest allow. */
  private changeManifest(): void {
    this.version += this.random(2);
    const kept = this.tools.filter(() => this.random(6) > 0);
    const next = new Map(kept.map((tool) => [fileOf(tool), tool]));
    const renames = new Map<ItemId, readonly ItemId[]>();
    for (const tool of kept.filter(() => this.random(3) === 0)) {
      const name = this.newName(next);
      if (name === undefined) continue;
      next.delete(fileOf(tool));
      next.set(fileOf(name), name);
      renames.set(`tool:${name}`, [`tool:${tool}`]);
    }
    const added = this.random(2) === 0 ? this.newName(next) : undefined;
    if (added !== undefined) next.set(fileOf(added), added);
    this.tools = [...next.values()];
    this.renames = renames;
  }

  /** One that no tool has, and none had just now. */
  private newName(tools: ReadonlyMap<string, string>): string | undefined {
    const free = NAMES.filter((name) => !tools.has(fileOf(name)) && !this.tools.includes(name));
    return free[this.random(free.length)];
  }

  private plan(options: Partial<ReconcileOptions> = {}): Plan {
    const { tools, version, renames, editor } = this;
    const files = handlerProjectFiles({ tools, version });
    return planFor(this.project.tree, files, { renames, editor, options });
  }

  private generate(): void {
    const before = this.project.snapshot();
    const lock = readLock(this.project.tree);
    const locked = lock.kind === "read" ? lock.lock : undefined;
    const stubs = this.stubs();
    // In a file that is only the stub, or is empty and would become it, there is nothing to keep.
    const persons = personsFiles(before, locked).filter(
      (path) => !stubs.has(path) || !["", stubs.get(path)].includes(before[path]),
    );
    this.editor.edits.clear();
    const plan = this.plan(this.options);
    assert.equal(applyPlan(ROOT, plan, this.project.files), [], this.place);
    const after = this.project.snapshot();
    this.counts.generations++;
    this.checkNamed(plan, before, after);
    for (const path of persons) this.checkKept(path, plan, before, after);
    this.checkMerged(before, after, locked);
    this.checkReturned(before, after, locked);
  }

  /** The stubs that this generation would write, by their paths. */
  private stubs(): ReadonlyMap<string, string> {
    const { tools, version } = this;
    const files = handlerProjectFiles({ tools, version }).filter(isUserFile);
    return new Map(files.map(({ path, content }) => [path, content]));
  }

  private get place(): string {
    return `seed ${this.seed}, version ${this.version}, tools ${this.tools.join(" ")}`;
  }

  /** Guarantee 15: the plan has exactly the changes. */
  private checkNamed(plan: Plan, before: Snapshot, after: Snapshot): void {
    const changes = plan.changes.filter(({ op }) => op !== "keep" && op !== "conflict");
    const named = new Set(changes.flatMap(({ path, from = path }) => [from, path]));
    const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...paths].filter((path) => before[path] !== after[path]);
    // Where one file comes and another leaves, both may hold the same bytes.
    const moves = changes.filter(({ op }) => op === "move");
    const moved = new Set(moves.flatMap(({ path, from = path }) => [from, path]));
    const quiet =
      changed.length < named.size ? [...moved].filter((path) => before[path] === after[path]) : [];
    assert.equal(
      [...named].sort(),
      [...changed, ...quiet].sort(),
      `${this.place}: the plan names it`,
    );
  }

  /**
   * Guarantees 3, 4, 6, 7, 11: the file stands at its path, at the one that the plan says or in a copy
   * beside, changed by recorded splices at most.
   */
  private checkKept(path: string, plan: Plan, before: Snapshot, after: Snapshot): void {
    const text = before[path] ?? "";
    const place = plan.changes.find(({ op, from }) => op === "move" && from === path)?.path ?? path;
    const found = after[place];
    this.counts.filesKept++;
    if (found === text || isCopied(path, text, after)) return;
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const source = text.slice(mark.length);
    const recorded = this.editor.edits.get(source) ?? [];
    const splices = recorded.find((edit) => found === mark + applySplices(source, edit));
    const context = `${this.place}: ${path}\n${text}\n--- became\n${found}`;
    if (splices === undefined) throw new Error(`an undeclared change: ${context}`);
    for (const splice of splices) assert.ok(isDeclared(splice, source), context);
    const edited = (found ?? "").slice(mark.length);
    assert.is(applySplices(edited, undoingSplices(source, splices)), source, context);
    this.counts.filesSpliced++;
  }

  /** Guarantees 4 and 17. */
  private checkMerged(before: Snapshot, after: Snapshot, locked: Lock | undefined): void {
    const paths = { json: "package.json", env: ".env.example", text: "Dockerfile" };
    const texts = (path: string): [string, string] | undefined => {
      const text = before[path];
      return text === undefined ? undefined : [text, after[path] ?? "it is gone"];
    };
    const [json, env, lines] = [texts(paths.json), texts(paths.env), texts(paths.text)];
    const base = locked?.files.get(paths.json)?.base;
    try {
      if (json !== undefined) checkMergedJson(json[0], json[1], base);
      if (env !== undefined) checkMergedLines(env[0], env[1], locked?.files.get(paths.env)?.base);
      const baseLines = baseLinesOf(locked?.files.get(paths.text));
      if (lines !== undefined) checkMergedText(lines[0], lines[1], baseLines);
    } catch (error) {
      throw new Error(`${this.place}: ${String(error)}\n${json?.join("\n--- became\n")}`, {
        cause: error,
      });
    }
  }

  /** Guarantee 6: a handler that left with its item is where it was when the item is back. */
  private checkReturned(before: Snapshot, after: Snapshot, locked: Lock | undefined): void {
    for (const [path, { owner, item, path: former }] of locked?.removed ?? []) {
      const isBack = this.tools.some((tool) => item === `tool:${tool}`) && !this.renames.has(item);
      const isFree = former !== undefined && before[former] === undefined;
      if (owner !== "handler" || !isBack || !isFree || before[path] === undefined) continue;
      const twin = [...(locked?.removed ?? [])].some(
        ([other, entry]) => other !== path && entry.owner === owner && entry.item === item,
      );
      if (twin) continue;
      assert.ok(after[path] === undefined && after[former] !== undefined, `${this.place}: ${path}`);
      this.counts.returned++;
    }
  }

  /** Guarantee 1. */
  private checkSecondRun(): void {
    const left = this.plan().operations.map(({ kind, path }) => `${kind} ${path}`);
    assert.equal(left, [], `${this.place}: a second run`);
  }
}

/** Only of generated files, which a run may replace when it is asked to. */
function isCopied(path: string, text: string, after: Snapshot): boolean {
  if (!/^src\/(main|generated)/.test(path)) return false;
  return Object.keys(after).some(
    (other) => other.startsWith(`${path}.saved`) && after[other] === text,
  );
}

/** Names that become the same file are refused by validation. */
function fileOf(tool: string): string {
  return itemNames(tool).fileName;
}

/**
 * What a splice may take away: a name, an alias that has become useless, the text of a type argument or a relative
 * import. What it may add without taking anything away: an export at the end, an import, or an alias for a name.
 */
function isDeclared({ start, end, text }: Splice, source: string): boolean {
  const removed = source.slice(start, end);
  if (removed === "") {
    const isAlias = /^(\w+ as |\w+: |: \w+| as \w+)$/.test(text);
    const isImport = /^(\r?\nimport \{[^\n]*\} from "[^\n"]*";)+$/.test(text);
    return isAlias || isImport || (start === source.length && text.includes("export "));
  }
  if (/^\.\.?\//.test(removed)) return /^\.\.?\//.test(text);
  const aliased = removed.split(" as ");
  if (aliased.length === 2) return aliased.every(isToolName) && isToolName(text);
  return isToolName(removed) && (isToolName(text) || isToolName(text.split(" as ")[1] ?? ""));
}

function isToolName(text: string): boolean {
  return NAMES.includes(text) || /^(alpha|betaTwo|gamma|getDelta)$/.test(text);
}

/** The real editor, which records its answers. */
class RecordingEditor implements SourceEditor {
  /** By text, of which two files may have the same. */
  readonly edits = new Map<string, (readonly Splice[])[]>();
  private readonly editor = createHandlerEditor();

  problemIn: SourceEditor["problemIn"] = (path, source) => this.editor.problemIn(path, source);

  edit: SourceEditor["edit"] = (source, task) => {
    const changes = this.editor.edit(source, task);
    if (changes === undefined) return changes;
    this.edits.set(source, [...(this.edits.get(source) ?? []), changes.splices]);
    return changes;
  };
}
