import { nearestNames } from "../text/nearest-name.js";
import type { ApiDocument } from "./api-document.js";
import { operationsOf, type Operation } from "./operations.js";
import { expressionOf, namesOf, tagsShown, type Selection } from "./selection.js";

/** The kind of thing that a name of a selection refers to. */
export type SelectionKind = "tag" | "path" | "method" | "operation" | "exclude";

/** The word for that kind in messages. */
export function wordFor(kind: SelectionKind): string {
  return kind === "exclude" ? "operation" : kind;
}

/** A name of a selection that documents do not have. */
export interface UnknownName {
  readonly kind: SelectionKind;
  readonly name: string;
  /** Names that documents have, and that may be meant. */
  readonly nearest: readonly string[];
}

/** The names in documents that a selection can use. */
export class SelectableNames {
  readonly #tags = new Set<string>();
  readonly #routes = new Set<string>();
  readonly #methods = new Set<string>();
  readonly #operations = new Set<string>();

  /** Adds the names of a document, with those of the operations that cannot be read. */
  add(document: ApiDocument): void {
    const { operations, unreadable } = operationsOf(document);
    for (const operation of operations) this.#addOperation(operation);
    for (const { name } of unreadable) {
      const [, method, route = name] = /^([A-Z]+) (.*)$/s.exec(name) ?? [];
      if (method !== undefined) this.#methods.add(method);
      this.#routes.add(route);
      this.#operations.add(name);
    }
  }

  #addOperation(operation: Operation): void {
    for (const tag of tagsShown(operation)) this.#tags.add(tag);
    for (const name of namesOf(operation)) this.#operations.add(name);
    this.#routes.add(operation.route);
    this.#methods.add(operation.method);
  }

  /** The names in a text that holds one name, or several with commas. A name may have a comma itself. */
  listed(kind: SelectionKind, text: string): string[] {
    const whole = text.trim();
    if (this.#has(kind, whole)) return [whole];
    const names = whole.split(",").map((name) => name.trim());
    const filled = names.filter((name) => name !== "");
    return filled.length === 0 ? [whole] : filled;
  }

  /** The names of a selection that no document has. */
  unknownIn({ tags, paths, methods, operations, exclude }: Selection): UnknownName[] {
    const lists = { tag: tags, path: paths, method: methods, operation: operations, exclude };
    return Object.entries(lists).flatMap(([key, names]) => {
      const kind = key as SelectionKind;
      return names
        .filter((name) => !this.#has(kind, name))
        .map((name) => ({ kind, name, nearest: this.#nearest(kind, name) }));
    });
  }

  #has(kind: SelectionKind, name: string): boolean {
    if (kind === "method") return this.#methods.has(name.toUpperCase());
    if (kind !== "path") return this.#known(kind).has(name);
    const glob = expressionOf(name);
    return [...this.#routes].some((route) => glob.test(route));
  }

  #nearest(kind: SelectionKind, name: string): string[] {
    const compared = kind === "path" ? name.replace(/\*+/g, "").replace(/\/+$/, "") : name;
    return nearestNames(compared, [...this.#known(kind)]);
  }

  #known(kind: SelectionKind): ReadonlySet<string> {
    if (kind === "tag") return this.#tags;
    if (kind === "path") return this.#routes;
    return kind === "method" ? this.#methods : this.#operations;
  }
}
