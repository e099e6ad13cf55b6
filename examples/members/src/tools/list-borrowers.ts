import type { ToolHandler } from "../generated/index.ts";

/** Every book that is lent, and to whom. */
export const listBorrowers: ToolHandler<"list_borrowers"> = (_input, { services }) =>
  services.loans.all();
