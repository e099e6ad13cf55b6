import { handlerExportAdded, handlerNotParsable } from "../model/catalogue/project.js";
import { isCustomTransport, type OutputFile } from "../model/output-file.js";
import { decodeText } from "../text/line-ends.js";
import { applySplices } from "../text/splice.js";
import { placeOf, type TextRange } from "../text/text-place.js";
import { hashBytes, hashContent } from "./content-hash.js";
import {
  create,
  inTheWay,
  isPristine,
  leave,
  lockEntry,
  update,
  type Decision,
  type Situation,
} from "./decision.js";
import { movesToPackage } from "./copied-runtime.js";
import { moveOccupantAway, replaceOccupant } from "./decide-removed.js";
import type { Origin, UserFile } from "./handler-history.js";
import { handlerPlacesOf, type Occupant, type HandlerPlace } from "./handler-places.js";
import { renamedTypes } from "./renamed-types.js";
import {
  modulePath,
  type ChangedNames,
  type EditTask,
  type ModuleMove,
  type RenamedItem,
} from "./source-editor.js";
import { isReadableSource, unreadableSource } from "./unreadable-source.js";

type PlaceHere = Extract<HandlerPlace, { kind: "here" }>;
type PlaceElsewhere = Extract<HandlerPlace, { kind: "elsewhere" }>;

/** The result of editing a person's file. */
interface EditedText {
  /** The new content; absent if nothing changes. */
  readonly content?: Uint8Array;
  readonly exportAdded: boolean;
}

function reasonToMove(file: UserFile, { locked, item }: Origin): string {
  const isInsteadOfBody = file.owner === "handler" && file.stub !== undefined;
  if (locked === undefined && isInsteadOfBody)
    return "your code from before is back, instead of what the manifest said";
  if (locked === undefined) return `its ${isCustomTransport(item) ? "transport" : "item"} is back`;
  return item === file.item ? "its place has changed" : "its item was renamed";
}

/** Class H: a handler or starter test is a stub until its first edit, and then belongs to the user. */
export class HandlerRule {
  /** What other files of people follow. */
  readonly changed: ChangedNames;
  private readonly places: ReadonlyMap<string, HandlerPlace>;
  /** New paths of files that cannot move, because they cannot be read or another file keeps the path. */
  private readonly stuck: ReadonlySet<string>;

  /** @param renamed the items that this run renames */
  constructor(
    private readonly situation: Situation,
    private readonly files: readonly OutputFile[],
    renamed: readonly RenamedItem[],
  ) {
    const userFiles = files.filter(isUserFile);
    this.places = handlerPlacesOf(userFiles, situation);
    this.stuck = this.findStuck(userFiles);
    const generated = new Set(files.map(({ path }) => path));
    const types = renamedTypes(renamed, files);
    const moves = new Map([
      ...movesToPackage(situation.locked, (path) => generated.has(path)),
      ...types.moves,
      ...userFiles.flatMap((file) => this.movesOf(file)),
    ]);
    this.changed = { moves, items: types.items };
  }

  decide(file: UserFile): Decision {
    const place = this.places.get(file.path) ?? { kind: "nowhere" };
    switch (place.kind) {
      case "obstructed":
        return inTheWay(file.path, "folder");
      case "here":
        return this.stay(file, place);
      case "nowhere":
        return this.make(file, place.occupant);
      case "elsewhere":
        return this.follow(file, place);
    }
  }

  /** A file that cannot be read stays, and so do all files that would move to its path, one after the other. */
  private findStuck(userFiles: readonly UserFile[]): ReadonlySet<string> {
    const stuck = new Set<string>();
    const stuckPaths = userFiles.flatMap((file) => {
      const place = this.places.get(file.path);
      return place?.kind === "elsewhere" && !this.mayMove(file, place) ? [file.path] : [];
    });
    for (let path = stuckPaths.pop(); path !== undefined; path = stuckPaths.pop()) {
      if (stuck.has(path)) continue;
      stuck.add(path);
      const place = this.places.get(path);
      if (place?.kind !== "elsewhere") continue;
      const next = this.places.get(place.origin.path);
      if (next !== undefined && "occupant" in next) stuckPaths.push(place.origin.path);
    }
    return stuck;
  }

  private movesOf(file: UserFile): [string, ModuleMove][] {
    const place = this.places.get(file.path);
    if (place?.kind !== "here" && place?.kind !== "elsewhere") return [];
    const { origin } = place;
    if (origin === undefined || this.stuck.has(file.path)) return [];
    const stub = place.kind === "elsewhere" ? place.stub : undefined;
    const moves = stub === undefined ? [] : moveFrom(stub, file);
    const own = moveFrom(origin, file);
    if (own.length === 0) return moves;
    const current = place.kind === "here" ? this.textOf(file) : place.current;
    return this.isReadable({ current, origin }) ? [...moves, ...own] : moves;
  }

  private textOf({ path }: UserFile): Uint8Array {
    return this.situation.tree.read(path);
  }

  /** True if a file may move. If an item returns under its own name, its file moves unchanged, readable or not. */
  private mayMove({ item }: UserFile, place: PlaceElsewhere): boolean {
    const { locked, item: former } = place.origin;
    return (locked === undefined && former === item) || this.isReadable(place);
  }

  private isReadable({ current, origin }: Pick<PlaceElsewhere, "current" | "origin">): boolean {
    if (isPristine(origin.locked, current)) return true;
    return isReadableSource(origin.path, current, this.situation.editor);
  }

  /** Decides on a file that keeps its path: an untouched stub is updated; in an edited file only splices are made. */
  private stay(file: UserFile, { origin }: PlaceHere): Decision {
    const current = this.textOf(file);
    const locked = this.situation.locked.get(file.path) ?? origin?.locked;
    const found = hashContent(current);
    if (locked?.hashes.includes(found) === true) {
      return lockEntry(file).hashes.includes(found)
        ? leave(file.path, lockEntry(file))
        : update(file, current);
    }
    const edited = this.edit(file, current, origin);
    if (edited === undefined) {
      return this.unreadable(file, current, this.stillHeld(origin, file), file.path);
    }
    const { content } = edited;
    if (content === undefined) return leave(file.path, lockEntry(file));
    const before = hashBytes(current);
    const reason = edited.exportAdded ? "a missing export is added" : "it follows a rename";
    const decision: Decision = {
      ...leave(file.path, lockEntry(file)),
      changes: [{ op: "update", path: file.path, owner: file.owner, reason }],
      operations: [{ kind: "write", path: file.path, content, before }],
    };
    return withAddedExport(decision, file, edited);
  }

  /** Decides on a file that moves with its item: a stub is written again, and an edited file is adapted by splices. */
  private follow(file: UserFile, place: PlaceElsewhere): Decision {
    const { current, origin, occupant } = place;
    if (this.stuck.has(file.path)) {
      return this.isReadable(place)
        ? keepAtFormerPath(file, origin)
        : this.unreadable(file, current, origin, origin.path);
    }
    const decision = isPristine(origin.locked, current) ? create(file) : this.adapted(file, place);
    return withLeftRemoved(this.atItsPath(decision, occupant), place);
  }

  private adapted(file: UserFile, place: PlaceElsewhere): Decision {
    const { current, origin } = place;
    const edited = this.edit(file, current, origin);
    const decision = this.moved(file, place, edited?.content);
    return edited === undefined
      ? this.named(decision, file, current)
      : withAddedExport(decision, file, edited);
  }

  private moved(
    file: UserFile,
    { current, origin, occupant }: PlaceElsewhere,
    content: Uint8Array | undefined,
  ): Decision {
    const { path } = file;
    const from = origin.path;
    const decision: Decision = {
      ...leave(path, lockEntry(file)),
      changes: [{ op: "move", from, path, owner: file.owner, reason: reasonToMove(file, origin) }],
      operations: [{ kind: "move", from, path }],
      claims: from,
    };
    const isTaken = this.isTaken(from);
    if (content === undefined && occupant === undefined && !isTaken) return decision;
    const write = { kind: "write", path, content: content ?? current, modeOf: from } as const;
    const removal = { kind: "delete", path: from, before: hashBytes(current) } as const;
    return { ...decision, operations: isTaken ? [write] : [write, removal] };
  }

  /** The origin of a file that stays; undefined if another item now has the former path. */
  private stillHeld(origin: Origin | undefined, file: UserFile): Origin | undefined {
    if (origin === undefined || origin.path === file.path) return origin;
    return this.places.has(origin.path) ? undefined : origin;
  }

  /** True if another file moves to this path in the same run. */
  private isTaken(path: string): boolean {
    const place = this.places.get(path);
    return place !== undefined && "occupant" in place && !this.stuck.has(path);
  }

  /** The same decision, but it may replace the file at its path, which another item may have left there. */
  private atItsPath(decision: Decision, occupant: Occupant | undefined): Decision {
    if (occupant === undefined) return decision;
    const { current, leaves } = occupant;
    return leaves
      ? replaceOccupant(decision, current)
      : moveOccupantAway(replaceOccupant(decision, current), current, this.situation);
  }

  /** Leaves a file at `path`. The lock keeps its former entry until a person has repaired the file. */
  private unreadable(
    file: UserFile,
    current: Uint8Array,
    origin: Origin | undefined,
    path: string,
  ): Decision {
    const locked = isInPlace(file, origin) ? lockEntry(file) : origin?.locked;
    const decision: Decision = {
      ...leave(origin?.path ?? path, locked),
      changes: [{ op: "keep", path, owner: "user", reason: "it cannot be read" }],
    };
    return this.named(decision, file, current, origin && { ...origin, path });
  }

  private named(
    decision: Decision,
    file: UserFile,
    current: Uint8Array,
    origin?: Origin,
  ): Decision {
    const action = stepsByHand(file, origin).join(", ");
    const path = origin?.path ?? file.path;
    const { place, problem, ...shown } = unreadableSource(path, current, this.situation.editor);
    return { ...decision, ...shown, diagnostics: [handlerNotParsable(place, { problem, action })] };
  }

  private edit(file: UserFile, current: Uint8Array, origin?: Origin): EditedText | undefined {
    const source = decodeText(current);
    const changes = source && this.situation.editor.edit(source.text, this.taskOf(file, origin));
    if (source === undefined || changes === undefined) return undefined;
    const { splices, exportAdded } = changes;
    if (splices.length === 0) return { exportAdded };
    const content = Buffer.from(source.mark + applySplices(source.text, splices));
    return { content, exportAdded };
  }

  private taskOf(file: UserFile, origin?: Origin): EditTask {
    const changed = this.changedFor(file, origin);
    const task = { from: origin?.written ?? file.path, to: file.path, ...changed };
    if (file.owner !== "handler") return task;
    const { item, exportName } = file;
    const former = { item: origin?.item ?? item, exportName: origin?.exportName ?? exportName };
    return { ...task, handler: { former, now: { item, exportName }, stub: file.content } };
  }

  /** What changes for a file, with the rename of an earlier run that it could not follow then. */
  private changedFor({ item: now }: UserFile, origin?: Origin): ChangedNames {
    const { moves, items } = this.changed;
    const former = origin?.item ?? now;
    if (former === now || items.some((one) => one.former === former)) return this.changed;
    const types = renamedTypes([...items, { former, now }], this.files);
    return { moves: new Map([...moves, ...types.moves]), items: types.items };
  }

  /** Writes a new file. A deleted handler is written again, since the project needs one; a deleted test is not. */
  private make(file: UserFile, occupant: Occupant | undefined): Decision {
    if (this.stuck.has(file.path)) return inTheWay(file.path, "file");
    const isLocked = this.situation.locked.has(file.path) && occupant === undefined;
    if (!isLocked) return this.atItsPath(create(file), occupant);
    return file.owner === "starter-test" ? leave(file.path, lockEntry(file)) : madeAgain(file);
  }
}

/** Writes a stub and reports that it replaces a deleted file, whose code may now be in another file. */
function madeAgain(file: UserFile): Decision {
  const decision = create(file);
  const lost = isCustomTransport(file.item) ? "transport" : "handler";
  const reason = `a stub: the ${lost} that was here is gone`;
  return { ...decision, changes: decision.changes.map((change) => ({ ...change, reason })) };
}

/** True for handlers and starter tests. */
export function isUserFile(file: OutputFile): file is UserFile {
  return file.owner === "handler" || file.owner === "starter-test";
}

const none: ReadonlyMap<string, string> = new Map();

/** The move of a module to the path of `file`; empty if neither its path nor its export changes. */
function moveFrom(origin: Origin, file: UserFile): [string, ModuleMove][] {
  const exports = renamedExports(file, origin);
  const from = modulePath(origin.written);
  const to = modulePath(file.path);
  return from === to && exports.size === 0 ? [] : [[from, { to, exports }]];
}

/** The same decision, which also says that other files of the item stay under `src/removed/`. */
function withLeftRemoved(decision: Decision, { origin, leftRemoved }: PlaceElsewhere): Decision {
  if (decision.operations.length === 0) return decision;
  const reason = `it stays, since ${decision.path} comes from ${origin.path}`;
  const kept = leftRemoved.map((path) => ({ op: "keep", path, owner: "user", reason }) as const);
  return { ...decision, changes: [...decision.changes, ...kept] };
}

function renamedExports(file: UserFile, { exportName }: Origin): ReadonlyMap<string, string> {
  return file.owner === "handler" && exportName !== undefined && exportName !== file.exportName
    ? new Map([[exportName, file.exportName]])
    : none;
}

function withAddedExport(
  decision: Decision,
  file: UserFile,
  { exportAdded, content }: EditedText,
): Decision {
  if (!exportAdded || content === undefined || file.owner !== "handler") return decision;
  const shownText = decodeText(content)?.text ?? "";
  const place = placeOf(file.path, shownText, lastLineOf(shownText));
  const diagnostic = handlerExportAdded(place, { name: file.exportName });
  return { ...decision, shownText, diagnostics: [diagnostic] };
}

/** The range of the last line, where an export was added. */
function lastLineOf(text: string): TextRange {
  const end = text.trimEnd().length;
  return { start: text.lastIndexOf("\n", end - 1) + 1, end };
}

/** True if path, item and export stay the same. */
function isInPlace(file: UserFile, origin: Origin | undefined): boolean {
  if (origin === undefined) return true;
  const { item, path } = origin;
  return item === file.item && path === file.path && renamedExports(file, origin).size === 0;
}

function stepsByHand(file: UserFile, origin: Origin | undefined): string[] {
  const steps = ["repair its syntax"];
  if (origin === undefined) return steps;
  if (origin.path !== file.path) steps.push(`move it to ${file.path}`);
  for (const [from, to] of renamedExports(file, origin)) {
    steps.push(`rename its constant ${from} to ${to}`);
  }
  if (file.owner === "handler" && origin.item !== file.item) {
    steps.push(`change its type argument from ${origin.item} to ${file.item}`);
  }
  return steps;
}

/** A file that waits until its new path is free. The lock keeps it under its former path. */
function keepAtFormerPath(file: UserFile, origin: Origin): Decision {
  return {
    ...inTheWay(file.path, "file"),
    path: origin.path,
    ...(origin.locked !== undefined && { locked: origin.locked }),
  };
}
