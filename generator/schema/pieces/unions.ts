import { unionIssues } from "../../../templates/validators/unions.js";

export { unionIssues };

/** What a validator finds. */
export type Issue = Parameters<typeof unionIssues>[0][number][number];
