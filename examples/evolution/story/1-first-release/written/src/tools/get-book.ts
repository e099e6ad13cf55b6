import { ToolError, type ToolHandler } from "../generated/index.js";
import { toListing } from "./search.js";

/** One book, and whether a copy is on the shelf. */
export const getBook: ToolHandler<"get_book"> = ({ isbn }, ctx) => {
  const { library } = ctx.services;
  const book = library.book(isbn);
  if (!book) throw new ToolError(`The library has no book with the ISBN ${isbn}`);
  return { book: toListing(book), onShelf: library.onShelf(book) > 0 };
};
