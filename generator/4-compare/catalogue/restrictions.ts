import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about groups of items, and about what restricts a server to some of its items. */

interface Group {
  readonly group: string;
}

export const groupJoined = defineRule<Group>({
  id: "group-joined",
  severity: "warning",
  message: ({ group }) => `is in the group ${quoted(group)} now, and served where it is chosen`,
});

export const groupLeft = defineRule<Group>({
  id: "group-left",
  severity: "warning",
  message: ({ group }) =>
    `is not in the group ${quoted(group)} any more, and off where only that is chosen`,
});

interface Setting {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export const restrictionRenamed = defineRule<Setting>({
  id: "restriction-renamed",
  severity: "warning",
  message: ({ what, before, after }) => `${what} was ${before}, is ${after}`,
});
