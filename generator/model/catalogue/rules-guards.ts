import { defineDiagnostic } from "../catalogue-entry.js";
import { namesAndMore } from "./message-parts.js";

/** Rules about what a person must allow, and about what can be switched off. */

export const nothingToConfirm = defineDiagnostic<{ key: string }>({
  code: "MW2220",
  message: ({ key }) =>
    `the answer is fixed by ${key} and does nothing, so that there is nothing to confirm`,
  hint: () => "remove `confirm`",
});

export const sameRestrictVariable = defineDiagnostic<{ name: string }>({
  code: "MW2221",
  message: ({ name }) => `${name} cannot both name groups and restrict the server to reading`,
});

export const restrictingScopeNeeded = defineDiagnostic<{ scope: string }>({
  code: "MW2222",
  message: ({ scope }) => `the scope ${scope} takes items away from callers who have it`,
  hint: () => "name another scope here, or in `restrict`",
});

export const readOnlyMayWrite = defineDiagnostic<{ name: string; found: string }>({
  code: "MW2360",
  severity: "warning",
  message: ({ name, found }) => `${name} has readOnlyHint: true, but ${found}`,
  hint: () =>
    "remove the hint; where the tool changes nothing all the same, switch MW2360 off: `--read-only` and clients believe the hint",
});

export const groupsOfNobody = defineDiagnostic({
  code: "MW2361",
  severity: "warning",
  message: () => "no item is in a group, so that no group can be chosen",
});

export const itemsWithoutGroups = defineDiagnostic<{ found: number; named: readonly string[] }>({
  code: "MW2362",
  severity: "warning",
  message: ({ found, named }) =>
    `${found === 1 ? "one item is" : `${found} items are`} in no group, and off where groups are chosen: ${namesAndMore(named, found)}`,
  hint: () => "give them `groups`, or switch MW2362 off",
});
