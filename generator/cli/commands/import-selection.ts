import type { ApiDocument } from "../../import/api-document.js";
import { operationsOf } from "../../import/operations.js";
import {
  countUnnamed,
  isEmptySelection,
  selectOperations,
  type Selection,
} from "../../import/selection.js";
import { SelectableNames, wordFor, type SelectionKind } from "../../import/unknown-names.js";
import { nothingChosen, unknownSelection } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { placeOf } from "../options.js";
import type { CommandContext } from "../command.js";

/**
 * The operations that a command line selects. Each option may occur more than once; its value is a list with commas.
 * A name that none of the documents has is a problem, and so is a selection that fits no operation of theirs.
 */
export function selectionOf(
  { invocation }: CommandContext,
  documents: readonly ApiDocument[],
): { selection: Selection } | { problems: Diagnostic[] } {
  const names = new SelectableNames();
  for (const document of documents) names.add(document);
  const list = (kind: SelectionKind): string[] =>
    (invocation.lists.get(kind) ?? []).flatMap((text) => names.listed(kind, text));
  const selection = {
    tags: list("tag"),
    paths: list("path"),
    methods: list("method"),
    operations: list("operation"),
    exclude: list("exclude"),
  };
  const unknown = names.unknownIn(selection);
  if (unknown.length > 0) {
    const problems = unknown.map(({ kind, name, nearest }) =>
      unknownSelection(placeOf(invocation, kind), { what: wordFor(kind), name, nearest }),
    );
    return { problems };
  }
  const problem = emptyProblem(invocation, documents, selection);
  return problem === undefined ? { selection } : { problems: [problem] };
}

/** The problem of a selection that fits no operation. */
function emptyProblem(
  invocation: CommandContext["invocation"],
  documents: readonly ApiDocument[],
  selection: Selection,
): Diagnostic | undefined {
  if (isEmptySelection(selection)) return undefined;
  const operations = documents.flatMap((document) => operationsOf(document).operations);
  if (selectOperations(operations, selection).length > 0) return undefined;
  const unnamed = countUnnamed(operations, selection);
  return nothingChosen(placeOf(invocation, "argument"), { unnamed });
}
