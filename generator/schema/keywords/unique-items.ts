import { findDuplicate } from "../pieces/values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const uniqueItems: KeywordDefinition = {
  name: "uniqueItems",
  shape: "boolean",
  dialects: BOTH_DIALECTS,
  subject: "array",
  check(value, rule, checking) {
    const duplicate = rule === true && Array.isArray(value) ? findDuplicate(value) : undefined;
    if (duplicate === undefined) return;
    const { first, repeated } = duplicate;
    checking.report(
      `must NOT have duplicate items (items ## ${first} and ${repeated} are identical)`,
    );
  },
  problem: () => "must not hold the same item twice",
};
