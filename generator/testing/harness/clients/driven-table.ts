import type { Era } from "./project-clients.js";

/** What clients drove, and where: transport × era × feature. */
export class DrivenTable {
  readonly #rows: string[] = [];

  /** Adds a row. */
  add(transport: string, era: Era, features: Iterable<string>): void {
    this.#rows.push(`| ${transport} | ${era} | ${[...features].join(", ")} |`);
  }

  /** Prints it, as Markdown. */
  print(): void {
    const head = ["| transport | era | driven by a client |", "| --- | --- | --- |"];
    console.log([...head, ...this.#rows].join("\n"));
  }
}
