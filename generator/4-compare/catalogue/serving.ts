import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about enabled items, subscriptions, pages of lists and caches. */

interface Item {
  readonly name: string;
}

const TOOL = "tools: [{name: reset, description: Resets.}]";
const SWITCHED_OFF = "tools: [{name: reset, description: Resets., enabled: false}]";

export const startsDisabled = defineRule<Item>({
  id: "starts-disabled",
  severity: "breaking",
  title: "an item is not there from the start any more",
  explanation: {
    cause:
      "The item is switched off until a handler or a service enables it. Until then it is in no list, and whoever uses it gets an error.",
    example: { before: TOOL, after: SWITCHED_OFF },
    fix: "Check that something enables it, or take `enabled: false` out.",
  },
  message: ({ name }) => `${quoted(name)} is not there until it is enabled`,
});

export const startsEnabled = defineRule<Item>({
  id: "starts-enabled",
  severity: "info",
  title: "an item is there from the start now",
  explanation: {
    cause:
      "The item was switched off until a handler or a service enabled it, and is not any more.",
    example: { before: SWITCHED_OFF, after: TOOL },
    fix: "Nothing.",
  },
  message: ({ name }) => `${quoted(name)} is there from the start now`,
});

const WATCHED = "resources: [{name: log, uri: 'app://log', subscribe: true}]";
const UNWATCHED = "resources: [{name: log, uri: 'app://log'}]";

export const subscriptionRemoved = defineRule({
  id: "subscription-removed",
  severity: "breaking",
  title: "a resource cannot be subscribed to any more",
  explanation: {
    cause: "Clients could ask to be told when the resource changes; now they get an error.",
    example: { before: WATCHED, after: UNWATCHED },
    fix: "Keep `subscribe: true`, or release a new major version.",
  },
  message: () => "clients cannot subscribe to it any more",
});

export const subscriptionAdded = defineRule({
  id: "subscription-added",
  severity: "info",
  title: "a resource can be subscribed to",
  explanation: {
    cause: "Clients may ask to be told when the resource changes.",
    example: { before: UNWATCHED, after: WATCHED },
    fix: "Call `notify.resourceUpdated(uri)` when it does, in a handler or in `src/context.ts`.",
  },
  message: () => "clients may subscribe to it now",
});

export const pagesSmaller = defineRule<{ readonly items: number }>({
  id: "pages-smaller",
  severity: "warning",
  title: "lists come in more pages",
  explanation: {
    cause:
      "A page of a list holds fewer items than before. Many clients never ask for the second page: they will not know the other items.",
    example: { before: "tools: []", after: "tools: []\npageSize: 20" },
    fix: "Check that the clients that matter to you read every page, or leave `pageSize` out.",
  },
  message: ({ items }) => `a list has at most ${items} items on a page now`,
});

export const cacheMadePublic = defineRule({
  id: "cache-made-public",
  severity: "warning",
  title: "answers may be shared between users",
  explanation: {
    cause:
      "With `cacheScope: public` a proxy or client may give one user's answer to another, until it is stale.",
    example: {
      before: "cache: {ttlMs: 60000}",
      after: "cache: {ttlMs: 60000, cacheScope: public}",
    },
    fix: "Check that no answer depends on who asks.",
  },
  message: () => "one user's answers may be given to others",
});
