import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about enabled items, subscriptions, pages of lists and caches. */

interface Item {
  readonly name: string;
}

export const startsDisabled = defineRule<Item>({
  id: "starts-disabled",
  severity: "breaking",
  message: ({ name }) => `${quoted(name)} is not there until it is enabled`,
});

export const startsEnabled = defineRule<Item>({
  id: "starts-enabled",
  severity: "info",
  message: ({ name }) => `${quoted(name)} is there from the start now`,
});

export const subscriptionRemoved = defineRule({
  id: "subscription-removed",
  severity: "breaking",
  message: () => "clients cannot subscribe to it any more",
});

export const subscriptionAdded = defineRule({
  id: "subscription-added",
  severity: "info",
  message: () => "clients may subscribe to it now",
});

export const pagesSmaller = defineRule<{ readonly items: number }>({
  id: "pages-smaller",
  severity: "warning",
  message: ({ items }) => `a list has at most ${items} items on a page now`,
});

export const cacheMadePublic = defineRule({
  id: "cache-made-public",
  severity: "warning",
  message: () => "one user's answers may be given to others",
});
