import type { ToolHandler } from "../generated/index.ts";
import { callerOf } from "../library/caller.ts";

/** Lends a book to whoever calls. Answers whether it was there. */
export const borrowBook: ToolHandler<"borrow_book"> = ({ book }, ctx) => {
  const { loans } = ctx.services;
  const borrower = callerOf(ctx);
  const isLent = loans.lend(book, borrower);
  if (isLent) ctx.notify.resourceUpdated("members://loans", { principal: borrower });
  return isLent;
};
