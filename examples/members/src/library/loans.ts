import type { Loan } from "../generated/index.ts";

/** What is lent, by title. It is kept in memory: a library of this size reopens with full shelves. */
export class Loans {
  readonly #borrowers = new Map<string, string>();

  /** @returns whether the borrower has the book now; not where somebody else has it. */
  lend(book: string, borrower: string): boolean {
    const holder = this.#borrowers.get(book) ?? borrower;
    this.#borrowers.set(book, holder);
    return holder === borrower;
  }

  /** @returns who had the book; undefined where it was not lent. */
  takeBack(book: string): string | undefined {
    const borrower = this.#borrowers.get(book);
    this.#borrowers.delete(book);
    return borrower;
  }

  /** The titles that somebody has borrowed, in the order of borrowing. */
  of(borrower: string): string[] {
    return this.all().flatMap((loan) => (loan.borrower === borrower ? [loan.book] : []));
  }

  all(): Loan[] {
    return [...this.#borrowers].map(([book, borrower]) => ({ book, borrower }));
  }
}
