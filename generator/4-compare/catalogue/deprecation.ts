import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about items whose end is announced. */

export const itemDeprecated = defineRule<{ name: string; until?: string }>({
  id: "item-deprecated",
  severity: "warning",
  message: ({ name, until }) =>
    `${quoted(name)} is deprecated now${until === undefined ? "" : `, and ends with version ${until}`}`,
});

export const deprecationWithdrawn = defineRule<{ name: string }>({
  id: "deprecation-withdrawn",
  severity: "info",
  message: ({ name }) => `${quoted(name)} is not deprecated any more`,
});

export const removalMoved = defineRule<{ name: string; before: string; after: string }>({
  id: "removal-moved",
  severity: "warning",
  message: ({ name, before, after }) =>
    `the version without ${quoted(name)} was ${before}, is ${after}`,
});

export const removedAsAnnounced = defineRule<{ name: string; until: string }>({
  id: "removed-as-announced",
  severity: "warning",
  message: ({ name, until }) => `${quoted(name)} is gone, as was announced for version ${until}`,
});
