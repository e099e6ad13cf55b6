import { writeLiteral } from "../../text/literal.js";
import { objectLiteral } from "./structures.js";

interface Completable {
  readonly name: string;
  readonly complete?: readonly string[];
}

/** The `complete` entry of a prompt or template: at most one, absent where nothing can be completed. */
export function completions(variables: readonly Completable[]): (readonly [string, string])[] {
  const lists = variables.flatMap(({ name, complete }) =>
    complete === undefined ? [] : [[name, writeLiteral([...complete])] as const],
  );
  return lists.length === 0 ? [] : [["complete", objectLiteral(lists)]];
}
