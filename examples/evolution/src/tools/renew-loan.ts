import { ToolError, type ToolHandler } from "../generated/index.js";

const MOST_RENEWALS = 3;
const TWO_WEEKS = 14 * 24 * 60 * 60 * 1000;

/*
 *  Saved by an editor on Windows, with CRLF and without a final newline.
 */
export const renewLoan: ToolHandler<"renew_loan"> = ({ loan: number }, ctx) => {
    const loan = ctx.services.library.loan(number);
    if (loan === undefined) throw new ToolError(`There is no loan ${number}`);
    if (loan.renewed >= MOST_RENEWALS) {
        throw new ToolError(`${number} was renewed ${MOST_RENEWALS} times already; the book is due ${loan.due}`);
    }
    loan.renewed += 1;
    loan.due = new Date(Date.parse(loan.due) + TWO_WEEKS).toISOString().slice(0, 10);
    return { due: loan.due, renewalsLeft: MOST_RENEWALS - loan.renewed };
};