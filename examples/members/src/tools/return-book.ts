import type { ToolHandler } from "../generated/index.ts";

/** Takes a book back, and tells whoever had it. Answers whether it was lent. */
export const returnBook: ToolHandler<"return_book"> = ({ book }, { services, notify }) => {
  const borrower = services.loans.takeBack(book);
  if (borrower === undefined) return false;
  notify.resourceUpdated("members://loans", { principal: borrower });
  return true;
};
