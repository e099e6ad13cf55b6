import { defineRule } from "../../model/semantic-rule.js";

/** Rules about bodies of any kind. Those about what a body sends, runs or reads stand with its kind. */

export const misfitsHandledOtherwise = defineRule<{ isRefused: boolean }>({
  id: "misfits-handled-otherwise",
  severity: "warning",
  message: ({ isRefused }) =>
    isRefused
      ? "answers that break the outputSchema came as text, and are refused now"
      : "answers that break the outputSchema were refused, and come as text now",
});

export const answeredOtherwise = defineRule<{ before: string; after: string }>({
  id: "answered-otherwise",
  severity: "info",
  message: ({ before, after }) => `${before} answered, and now ${after} does`,
});

export const argumentTrusted = defineRule<{ name: string }>({
  id: "argument-trusted",
  severity: "warning",
  message: ({ name }) => `the program gets the argument ${name} unchecked: it is trusted`,
});

export const argumentNotTrusted = defineRule<{ name: string }>({
  id: "argument-not-trusted",
  severity: "info",
  message: ({ name }) => `the argument ${name} is not trusted any more`,
});
