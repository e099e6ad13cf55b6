import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

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

export const extensionSettingsChanged = defineRule<Extension>({
  id: "extension-settings-changed",
  severity: "warning",
  message: ({ id }) => `clients get other settings of the extension ${quoted(id)} now`,
});
