import type { ts } from "ts-morph";
import { partsOfId } from "../../model/output-file.js";
import type {
  EditTask,
  HandlerTask,
  RenamedItem,
  SourceChanges,
  SourceEditor,
  SyntaxProblem,
} from "../source-editor.js";
import { appendExport, atEnd, exportAs } from "./append-export.js";
import { adjustImports, mayImportMoved } from "./imports.js";
import { renameTypeArguments } from "./item-types.js";
import { exportsOf } from "./module-exports.js";
import { parseModule, syntaxProblem } from "./parse-module.js";
import { renameExport } from "./rename-export.js";
import { BindingFinder } from "./rename-locations.js";
import { withoutUselessAliases } from "./useless-aliases.js";

/** An editor that reads TypeScript with the compiler of ts-morph, which it loads when it reads the first file. */
export function createHandlerEditor(): SourceEditor {
  return new HandlerEditor();
}

const unchanged: SourceChanges = { splices: [], exportAdded: false };

class HandlerEditor implements SourceEditor {
  private readonly finder = new BindingFinder();

  problemIn(path: string, source: string): SyntaxProblem | undefined {
    const read = unlessTooDeep(() => ({ problem: syntaxProblem(path, source) }));
    return read === undefined ? { message: "it is nested too deep" } : read.problem;
  }

  edit(source: string, task: EditTask): SourceChanges | undefined {
    return unlessTooDeep(() => this.changesOf(source, task));
  }

  private changesOf(source: string, task: EditTask): SourceChanges | undefined {
    const items = namedItems(source, task);
    const mayImport = mayImportMoved(source, task);
    if (task.handler === undefined && !mayImport && items.length === 0) return unchanged;
    const file = parseModule(task.from, source);
    if (file === undefined) return undefined;
    const imports = mayImport ? adjustImports(file, task) : [];
    const types = renameTypeArguments(file, items, task.handler !== undefined);
    const { splices, exportAdded } = task.handler
      ? this.editHandler(file, task.handler, task.to)
      : unchanged;
    return {
      splices: withoutUselessAliases(file, [...splices, ...types, ...imports]),
      exportAdded,
    };
  }

  private editHandler(file: ts.SourceFile, task: HandlerTask, to: string): SourceChanges {
    const { former, now } = task;
    const renamed = renameExport(file, former.exportName, now.exportName, this.finder);
    const { splices } = renamed;
    if (renamed.keptName !== undefined) {
      const alias = atEnd(file, exportAs(renamed.keptName, now.exportName));
      return { splices: [...splices, alias], exportAdded: false };
    }
    const { named, open } = exportsOf(file);
    if (renamed.splices.length > 0 || open || named.has(now.exportName)) {
      return { splices, exportAdded: false };
    }
    return { splices: [...splices, ...appendExport(file, task, to)], exportAdded: true };
  }
}

/** The renamed items that a text may name, and that of its own handler. */
function namedItems(source: string, { items, handler }: EditTask): readonly RenamedItem[] {
  const named = items.filter(({ former }) => {
    const { name } = partsOfId(former);
    return source.includes(`"${name}"`) || source.includes(`'${name}'`);
  });
  if (handler === undefined) return named;
  return [...named, { former: handler.former.item, now: handler.now.item }];
}

/** Runs `work`. Undefined if the stack overflows: the compiler is recursive, and a source may be nested too deeply. */
function unlessTooDeep<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
