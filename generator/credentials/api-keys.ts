import type { ApiKeysModel } from "../model/auth.js";
import type { ManifestApiKeys } from "../model/manifest.js";
import { code } from "../text/markdown.js";
import type { CredentialDefinition } from "./definition.js";
import { settingInWords } from "./settings.js";

const LINES = "a line for each: name:sha256:scopes";

/** API keys, which an environment variable or a file holds. */
export const apiKeys: CredentialDefinition<ApiKeysModel, ManifestApiKeys> = {
  words: "an API key",
  isToken: false,
  isList: false,
  settings: { keys: "keys" },
  callerType: "ApiKeyCaller",
  factories: ["apiKeys", "apiKeyFile"],
  packages: [],

  // 2-validate has made sure that the manifest names a file or a variable.
  read: ({ env = "", file }) => ({
    kind: "apiKeys",
    ...(file === undefined ? { keys: { env } } : { file }),
  }),

  accepted: () => "API keys",

  factoryCall: (model) =>
    "keys" in model
      ? { entry: "auth", name: "apiKeys", given: { setting: model.keys } }
      : { entry: "auth", name: "apiKeyFile", given: { setting: model.file } },

  sentence: (model) => {
    const holder = code(settingInWords("file" in model ? model.file : model.keys));
    const again = "file" in model ? " The file is read again within a second after a change." : "";
    return `API keys for machines. ${holder} has a line for each, \`name:sha256:scopes\`, with spaces between the scopes.${again} This creates a key and its line:

  \`\`\`sh
  npm start -- --new-key ci
  \`\`\``;
  },
  asksServer: () => false,
  mayBeWithdrawn: (model) => "file" in model,
  variable: (model) => {
    if ("keys" in model) return { name: model.keys.env, description: `API keys, ${LINES}` };
    if (typeof model.file === "string") return undefined;
    return { name: model.file.env, description: `Path of the file of API keys, ${LINES}` };
  },
};
