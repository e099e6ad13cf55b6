import { ToolError, type ToolHandler } from "../generated/index.js";
import { toListing } from "./search-books.js";

/** One book, and how many of its copies are on the shelf. */
export const getBook: ToolHandler<"get_book"> = ({ isbn }, ctx) => {
  const { library } = ctx.services;
  const book = library.book(isbn);
  if (!book) throw new ToolError(`The library has no book with the ISBN ${isbn}`);
  const copies = { owned: book.copies, onShelf: library.onShelf(book) };
  return { book: toListing(book), copies };
};
