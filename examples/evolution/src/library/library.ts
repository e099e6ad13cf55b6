import { readFile } from "node:fs/promises";

export interface Book {
  isbn: string;
  title: string;
  author: string;
  year: number;
  /** How many the library owns. */
  copies: number;
}

export interface Loan {
  number: string;
  isbn: string;
  /** `2026-11-28` */
  due: string;
  renewed: number;
}

/** The books and loans of one library, from a file that is read once. Renewals last as long as the process. */
export class Library {
  readonly #books: Map<string, Book>;
  readonly #loans: Map<string, Loan>;

  constructor(books: Book[], loans: Loan[]) {
    this.#books = new Map(books.map((book) => [book.isbn, book]));
    this.#loans = new Map(loans.map((loan) => [loan.number, loan]));
  }

  static async open(path: string): Promise<Library> {
    const { books, loans } = JSON.parse(await readFile(path, "utf8")) as {
      books: Book[];
      loans: Loan[];
    };
    return new Library(books, loans);
  }

  get books(): Iterable<Book> {
    return this.#books.values();
  }

  book(isbn: string): Book | undefined {
    return this.#books.get(isbn);
  }

  loan(number: string): Loan | undefined {
    return this.#loans.get(number);
  }

  /** Copies of a book that nobody has borrowed. */
  onShelf(book: Book): number {
    const lent = [...this.#loans.values()].filter((loan) => loan.isbn === book.isbn);
    return book.copies - lent.length;
  }
}
