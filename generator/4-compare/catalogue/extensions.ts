import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about extensions of the protocol. */

interface Extension {
  readonly id: string;
}

export const extensionRemoved = defineRule<Extension>({
  id: "extension-removed",
  severity: "breaking",
  message: ({ id }) => `clients are not told of the extension ${quoted(id)} any more`,
});

export const extensionAdded = defineRule<Extension>({
  id: "extension-added",
  severity: "info",
  message: ({ id }) => `clients are told of the extension ${quoted(id)} now`,
});

export const taskAdded = defineRule({
  id: "task-added",
  severity: "info",
  message: () => "runs as a task now, for clients that know tasks",
});

export const taskRemoved = defineRule({
  id: "task-removed",
  severity: "warning",
  message: () => "does not run as a task any more: clients that know tasks wait for its result",
});

export const taskRequired = defineRule({
  id: "task-required",
  severity: "breaking",
  message: () => "refuses clients that do not know tasks now",
});

export const taskNotRequired = defineRule({
  id: "task-not-required",
  severity: "info",
  message: () => "serves clients that do not know tasks now",
});

export const taskKeptShorter = defineRule<{ readonly before: number; readonly after: number }>({
  id: "task-kept-shorter",
  severity: "warning",
  message: ({ before, after }) => `its tasks were kept for ${before} ms, and are for ${after} ms`,
});

export const cardAdded = defineRule({
  id: "card-added",
  severity: "info",
  message: () => "everyone can read a server card now",
});

export const cardRemoved = defineRule({
  id: "card-removed",
  severity: "warning",
  message: () => "there is no server card any more: catalogues that name it lead nowhere",
});

export const cardRenamed = defineRule<{ readonly before: string; readonly after: string }>({
  id: "card-renamed",
  severity: "warning",
  message: ({ before, after }) =>
    `its card called the server ${quoted(before)}, and calls it ${quoted(after)}`,
});

export const appAdded = defineRule({
  id: "app-added",
  severity: "info",
  message: () => "clients that show MCP Apps show a page for it now",
});

export const appRemoved = defineRule({
  id: "app-removed",
  severity: "warning",
  message: () => "its page is gone: clients show its result as they do without MCP Apps",
});

export const appAsksForMore = defineRule<{ readonly need: string }>({
  id: "app-asks-for-more",
  severity: "warning",
  message: ({ need }) => `its page asks clients for ${need} now`,
});

export const appDomainChanged = defineRule({
  id: "app-domain-changed",
  severity: "warning",
  message: () => "clients show its page at another origin now",
});

export const extensionSettingsChanged = defineRule<Extension>({
  id: "extension-settings-changed",
  severity: "warning",
  message: ({ id }) => `clients get other settings of the extension ${quoted(id)} now`,
});
