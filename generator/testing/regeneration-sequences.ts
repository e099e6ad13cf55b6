import * as assert from "uvu/assert";
import { hashContent } from "../6-reconcile/content-hash.js";
import type { Renames } from "../6-reconcile/decision.js";
import { createHandlerEditor } from "../6-reconcile/handlers/handler-editor.js";
import { LOCK_PATH } from "../6-reconcile/lock.js";
import { readLock } from "../6-reconcile/read-lock.js";
import type { SourceEditor } from "../6-reconcile/source-editor.js";
import { applyPlan } from "../7-apply/apply.js";
import type { ItemId } from "../model/output-file.js";
import type { Plan } from "../model/plan.js";
import { itemNames } from "../text/names.js";
import { applySplices, type Splice } from "../text/splice.js";
import { handlerProjectFiles } from "./handler-project.js";
import { MemoryProject, planFor, ROOT } from "./memory-project.js";
import { editLikeAPerson } from "./random-edits.js";
import { randomNumbers } from "./random-numbers.js";
import { undoingSplices } from "./undo-splices.js";

const NAMES = ["alpha", "beta_two", "gamma", "get-delta", "get_delta"];
const ROUNDS = 6;

/**
 * Guarantees 1, 3, 4, 5, 6, 7, 15 over one random sequence: manifests that change, and a person who edits
 * between generations. Throws at the first byte of theirs that changes outside a declared splice.
 */
export function runRegenerationSequence(seed: number): void {
  new RegenerationSequence(seed).run();
}

class RegenerationSequence {
  private readonly random: (below: number) => number;
  private readonly project = new MemoryProject();
  private readonly editor = new RecordingEditor();
  private tools: readonly string[] = ["alpha", "gamma"];
  private renames: Renames = new Map();
  private version = 0;

  constructor(private readonly seed: number) {
    this.random = randomNumbers(seed);
  }

  run(): void {
    for (let round = 0; round < ROUNDS; round++) {
      this.generate();
      this.checkSecondRun();
      editLikeAPerson(this.project, this.random, `${round}`);
      this.changeManifest();
    }
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

  private plan(): Plan {
    const { tools, version, renames, editor } = this;
    const files = handlerProjectFiles({ tools, version });
    return planFor(this.project.tree, files, { renames, editor });
  }

  private generate(): void {
    const before = this.project.snapshot();
    const persons = this.personsFiles(before);
    this.editor.edits.clear();
    const plan = this.plan();
    assert.equal(applyPlan(ROOT, plan, this.project.files), [], this.place);
    const after = this.project.snapshot();
    this.checkNamed(plan, before, after);
    for (const path of persons) this.checkKept(path, plan, before, after);
  }

  private get place(): string {
    return `seed ${this.seed}, version ${this.version}, tools ${this.tools.join(" ")}`;
  }

  /** Everything that is not ours: neither pristine by the lock, nor generated, nor the lock. */
  private personsFiles(tree: Readonly<Record<string, string>>): string[] {
    const state = readLock(this.project.tree);
    const locked = state.kind === "read" ? state.lock.files : new Map();
    return Object.keys(tree).filter((path) => {
      const entry = locked.get(path);
      if (path === LOCK_PATH || path === "package.json") return false;
      return entry === undefined || !entry.hashes.includes(hashContent(tree[path] ?? ""));
    });
  }

  /** Guarantee 15: the plan names what changed, and nothing else. */
  private checkNamed(plan: Plan, before: Record<string, string>, after: Record<string, string>) {
    const changes = plan.changes.filter(({ op }) => op !== "keep" && op !== "conflict");
    const named = new Set(changes.flatMap(({ path, from = path }) => [from, path]));
    const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...paths].filter((path) => before[path] !== after[path]);
    // Where one file leaves and another comes, both may hold the same bytes.
    const left = new Set(changes.flatMap(({ from }) => from ?? []));
    const quiet =
      changed.length < named.size ? [...left].filter((path) => before[path] === after[path]) : [];
    assert.equal(
      [...named].sort(),
      [...changed, ...quiet].sort(),
      `${this.place}: the plan names it`,
    );
  }

  /** The file stands at its path or at the one that the plan says, changed by recorded splices at most. */
  private checkKept(
    path: string,
    plan: Plan,
    before: Record<string, string>,
    after: Record<string, string>,
  ): void {
    const text = before[path] ?? "";
    const place = plan.changes.find(({ op, from }) => op === "move" && from === path)?.path ?? path;
    const found = after[place];
    if (found === text) return;
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const source = text.slice(mark.length);
    const recorded = this.editor.edits.get(source) ?? [];
    const splices = recorded.find((edit) => found === mark + applySplices(source, edit));
    const context = `${this.place}: ${path}\n${text}\n--- became\n${found}`;
    if (splices === undefined) throw new Error(`an undeclared change: ${context}`);
    for (const splice of splices) assert.ok(isDeclared(splice, source), context);
    const edited = (found ?? "").slice(mark.length);
    assert.is(applySplices(edited, undoingSplices(source, splices)), source, context);
  }

  /** Guarantee 1. */
  private checkSecondRun(): void {
    const left = this.plan().operations.map(({ kind, path }) => `${kind} ${path}`);
    assert.equal(left, [], `${this.place}: a second run`);
  }
}

/** Names that become the same file are refused by validation. */
function fileOf(tool: string): string {
  return itemNames(tool).fileName;
}

/** What a splice may take away: nothing, a name, the text of a type argument or a relative import. */
function isDeclared({ start, end }: Splice, source: string): boolean {
  const removed = source.slice(start, end);
  if (removed === "" || /^\.\.?\//.test(removed)) return true;
  return NAMES.includes(removed) || /^(alpha|betaTwo|gamma|getDelta)$/.test(removed);
}

/** The real editor, remembering what it answered. */
class RecordingEditor implements SourceEditor {
  /** By text, of which two files may have the same. */
  readonly edits = new Map<string, (readonly Splice[])[]>();
  private readonly editor = createHandlerEditor();

  canRead(path: string, source: string): boolean {
    return this.editor.canRead(path, source);
  }

  edit: SourceEditor["edit"] = (source, task) => {
    const changes = this.editor.edit(source, task);
    if (changes === undefined) return changes;
    this.edits.set(source, [...(this.edits.get(source) ?? []), changes.splices]);
    return changes;
  };
}
