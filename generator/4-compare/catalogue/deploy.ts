import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about changes for which it is not enough to replace one replica after another. */

export const deploymentRenamed = defineRule<{ before: string; after: string }>({
  id: "deployment-renamed",
  severity: "warning",
  message: ({ before, after }) =>
    `a rolling update is not enough: Kubernetes runs ${quoted(after)} beside ${quoted(before)}`,
});

export const sharedStateRenamed = defineRule<{ before: string; after: string }>({
  id: "shared-state-renamed",
  severity: "warning",
  message: ({ before, after }) =>
    `a rolling update is not enough: replicas of ${quoted(after)} share nothing with those of ${quoted(before)}`,
});

/** `state`: a kind of state in the plural, such as "events". */
export const sharingChanged = defineRule<{ state: string; isShared: boolean }>({
  id: "sharing-changed",
  severity: "warning",
  message: ({ state, isShared }) =>
    `a rolling update is not enough: ${state} are ${isShared ? "shared now" : "not shared any more"}`,
});

export const requestStateKeyNeeded = defineRule({
  id: "request-state-key-needed",
  severity: "warning",
  message: () =>
    "a rolling update is not enough: first set REQUEST_STATE_KEY, the same for all replicas",
});
