import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about the server's entry in the MCP registry, and about its desktop bundle. */

export const registryNameChanged = defineRule<{ before: string; after: string }>({
  id: "registry-name-changed",
  severity: "warning",
  message: ({ before, after }) => `the registry listed ${quoted(before)}, now ${quoted(after)}`,
});

export const registryEntryEnded = defineRule<{ name: string }>({
  id: "registry-entry-ended",
  severity: "warning",
  message: ({ name }) => `the registry gets no new version of ${quoted(name)}`,
});

export const registryAddressRemoved = defineRule<{ address: string }>({
  id: "registry-way-ended",
  severity: "warning",
  message: ({ address }) => `the registry does not name ${address} any more`,
});

export const desktopBundleEnded = defineRule({
  id: "desktop-bundle-ended",
  severity: "warning",
  message: () => "desktop clients get no new bundle of the server",
});

/** The rules for ways to get the server that are gone, by their keys in `package`. */
export const PACKAGE_ENDED = { mcpb: desktopBundleEnded } as const;
