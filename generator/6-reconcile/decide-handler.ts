import { handlerExportAdded, handlerNotParsable, projectFile } from "../model/catalogue/project.js";
import type { OutputFile } from "../model/output-file.js";
import { decodeText } from "../text/line-ends.js";
import { applySplices } from "../text/splice.js";
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
import { displacing } from "./decide-removed.js";
import type { Origin, UserFile } from "./handler-history.js";
import { standingsOf, type Standing } from "./handler-standing.js";
import { modulePath, type EditTask, type ModuleMove, type ModuleMoves } from "./source-editor.js";

type StandingHere = Extract<Standing, { kind: "here" }>;
type StandingElsewhere = Extract<Standing, { kind: "elsewhere" }>;

/** The text that a person's file will have. */
interface EditedText {
  /** Absent when not a byte changes. */
  readonly content?: Uint8Array;
  readonly exportAdded: boolean;
}

/** Class H: a stub until its first edit, then the user's. */
export class HandlerRule {
  /** What other modules may import, where it changes its place or its name. */
  readonly moves: ModuleMoves;
  private readonly standings: ReadonlyMap<string, Standing>;

  constructor(
    private readonly situation: Situation,
    files: readonly OutputFile[],
  ) {
    const userFiles = files.filter(isUserFile);
    this.standings = standingsOf(userFiles, situation);
    this.moves = new Map(userFiles.flatMap((file) => this.moveOf(file)));
  }

  decide(file: UserFile): Decision {
    const standing = this.standings.get(file.path) ?? { kind: "nowhere" };
    switch (standing.kind) {
      case "nowhere":
        return this.make(file);
      case "obstructed":
        return inTheWay(file.path, "folder");
      case "here":
        return this.stay(file, standing);
      case "elsewhere":
        return this.follow(file, standing);
      case "blocked":
        return waiting(file, standing.origin);
    }
  }

  /** A file that cannot be read stays where it is, and so do the imports of it. */
  private moveOf(file: UserFile): [string, ModuleMove][] {
    const standing = this.standings.get(file.path);
    if (standing?.kind !== "here" && standing?.kind !== "elsewhere") return [];
    const { origin, current } = standing;
    if (origin === undefined) return [];
    const from = modulePath(origin.written);
    const to = modulePath(file.path);
    const exports = renamedExports(file, origin);
    if (from === to && exports.size === 0) return [];
    const isReadable = isPristine(origin.locked, current) || this.canRead(origin.path, current);
    return isReadable ? [[from, { to, exports }]] : [];
  }

  private canRead(path: string, bytes: Uint8Array): boolean {
    const source = decodeText(bytes);
    return source !== undefined && this.situation.editor.canRead(path, source.text);
  }

  /** An untouched stub follows the generator; anything else is the user's. */
  private stay(file: UserFile, { current, origin }: StandingHere): Decision {
    const locked = this.situation.locked.get(file.path) ?? origin?.locked;
    if (isPristine(locked, current)) {
      return hashContent(current) === hashContent(file.content)
        ? leave(file.path, lockEntry(file))
        : update(file, current);
    }
    const edited = this.edit(file, current, origin);
    if (edited === undefined) return unreadable(file, origin);
    const { content } = edited;
    if (content === undefined) return leave(file.path, lockEntry(file));
    const before = hashBytes(current);
    const decision: Decision = {
      ...leave(file.path, lockEntry(file)),
      changes: [{ op: "update", path: file.path, owner: file.owner }],
      operations: [{ kind: "write", path: file.path, content, before }],
    };
    return reported(decision, file, edited);
  }

  /** The file moves with its item: a stub is made again, an edited one is adapted by splices. */
  private follow(file: UserFile, standing: StandingElsewhere): Decision {
    const { current, origin, occupant } = standing;
    const isStub = isPristine(origin.locked, current);
    const edited = isStub ? undefined : this.edit(file, current, origin);
    if (!isStub && edited === undefined) {
      return isReturning(file, origin)
        ? asUnreadable(this.moved(file, standing, {}), file)
        : unreadable(file, origin);
    }
    const decision =
      edited === undefined
        ? create(file)
        : reported(this.moved(file, standing, edited), file, edited);
    return occupant === undefined
      ? decision
      : displacing(decision, file.path, occupant, this.situation);
  }

  private moved(
    file: UserFile,
    { current, origin, occupant }: StandingElsewhere,
    { content }: Pick<EditedText, "content">,
  ): Decision {
    const { path } = file;
    const from = origin.path;
    return {
      ...leave(path, lockEntry(file)),
      changes: [{ op: "move", from, path, owner: file.owner }],
      operations:
        content === undefined && occupant === undefined
          ? [{ kind: "move", from, path }]
          : [
              { kind: "write", path, content: content ?? current },
              { kind: "delete", path: from, before: hashBytes(current) },
            ],
      claims: from,
    };
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
    const task = { from: origin?.written ?? file.path, to: file.path, moves: this.moves };
    if (file.owner !== "handler") return task;
    const { item, exportName } = file;
    const former = { item: origin?.item ?? item, exportName: origin?.exportName ?? exportName };
    return { ...task, handler: { former, now: { item, exportName }, stub: file.content } };
  }

  /** A deleted handler is made again, since the project needs one; a deleted starter test is not. */
  private make(file: UserFile): Decision {
    const known = this.situation.locked.has(file.path);
    return known && file.owner === "starter-test"
      ? leave(file.path, lockEntry(file))
      : create(file);
  }
}

function isUserFile(file: OutputFile): file is UserFile {
  return file.owner === "handler" || file.owner === "starter-test";
}

function renamedExports(file: UserFile, { exportName }: Origin): ReadonlyMap<string, string> {
  return file.owner === "handler" && exportName !== undefined && exportName !== file.exportName
    ? new Map([[exportName, file.exportName]])
    : new Map();
}

/** The item is back under its own name: its file comes as it is, readable or not. */
function isReturning(file: UserFile, origin: Origin): boolean {
  return origin.locked === undefined && origin.item === file.item;
}

function reported(decision: Decision, file: UserFile, { exportAdded }: EditedText): Decision {
  if (!exportAdded || file.owner !== "handler") return decision;
  const diagnostic = handlerExportAdded(projectFile(file.path), { name: file.exportName });
  return { ...decision, diagnostics: [diagnostic] };
}

/** Left where it is, and looked at again at the next run. */
function unreadable(file: UserFile, origin: Origin | undefined): Decision {
  const path = origin?.path ?? file.path;
  const decision: Decision = {
    ...(origin === undefined ? leave(path, lockEntry(file)) : leave(path, origin.locked)),
    changes: [{ op: "keep", path, owner: "user", reason: "it cannot be read" }],
    claims: path,
  };
  return asUnreadable(decision, file, origin);
}

function asUnreadable(decision: Decision, file: UserFile, origin?: Origin): Decision {
  const action = stepsByHand(file, origin).join(", ");
  const place = projectFile(origin?.path ?? file.path);
  return { ...decision, diagnostics: [handlerNotParsable(place, { action })], pending: true };
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

/** The lock keeps it under its former name until its place is free. */
function waiting(file: UserFile, origin: Origin): Decision {
  return {
    ...inTheWay(file.path, "file"),
    path: origin.path,
    ...(origin.locked !== undefined && { locked: origin.locked }),
    claims: origin.path,
  };
}
