import type { OutputFile } from "../../model/output-file.js";
import type { PackageModel, ServerModel } from "../../model/server-model.js";
import { github } from "./github.js";
import { mcpb } from "./mcpb.js";
import type { PackageKind } from "./package-kind.js";
import { registry } from "./server-json.js";

/** A command that adds a checkout to the settings of clients. SERVER.md has links for all others. */
const clients: PackageKind = {
  script: {
    name: "install:client",
    command: () => "npm run build && node dist/src/generated/install-client.js",
    parameters: "-- NAME",
    words:
      "adds the server to the settings of a client: `vscode`, `cursor`, `claude-desktop`, `claude-code`",
  },
  packages: ["jsonc-parser"],
};

const KINDS: Readonly<Record<keyof PackageModel, PackageKind>> = {
  mcpb,
  clients,
  github,
  registry,
};

/** The ways to get the server that the manifest asks for. */
export function packageKinds({ package: asked = {} }: ServerModel): PackageKind[] {
  return Object.entries(KINDS).flatMap(([key, kind]) => (Object.hasOwn(asked, key) ? [kind] : []));
}

/**
 * The files for publishing the server in other ways than as an npm package, as far as the manifest asks for them.
 *
 * @param manifestPath path of the manifest, relative to the project
 */
export async function packageFiles(
  model: ServerModel,
  manifestPath = "mcp.yaml",
): Promise<OutputFile[]> {
  const groups = packageKinds(model).map(({ files }) => files?.(model, manifestPath) ?? []);
  return (await Promise.all(groups)).flat();
}
