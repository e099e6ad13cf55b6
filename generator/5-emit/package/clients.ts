import type { PackageKind } from "./package-kind.js";

/** A command that adds a checkout to the settings of clients. SERVER.md has links for all others. */
export const clients: PackageKind = {
  script: {
    name: "install:client",
    command: () => "npm run build && node dist/src/generated/install-client.js",
    parameters: "-- NAME",
    words:
      "adds the server to the settings of a client: `vscode`, `cursor`, `claude-desktop`, `claude-code`",
  },
  packages: ["jsonc-parser"],
};
