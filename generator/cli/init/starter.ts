import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import { STARTING_BODIES } from "../../bodies/index.js";
import type { BodyModel } from "../../model/bodies.js";
import { renderTemplate } from "../../5-emit/project/templates.js";

/** The values of a starter manifest. All of them have been checked. */
export interface Starter {
  readonly name: string;
  readonly transports: ReadonlySet<string>;
  /** The tool of the minimal manifest, or the name of another starter, which has its own items. */
  readonly tool: FirstTool | OtherStarter;
}

/** A starter manifest that is not the minimal one: `full` shows every feature, others begin with a kind of body. */
export type OtherStarter = "full" | BodyModel["kind"];

export const OTHER_STARTERS: readonly OtherStarter[] = ["full", ...STARTING_BODIES];

export interface FirstTool {
  readonly name: string;
  readonly description: string;
}

/** The default tool of the minimal manifest. Its handler does this, whatever name the person chooses. */
export const defaultTool: FirstTool = { name: "echo", description: "Says a text back." };

/** The text of a commented starter manifest. */
export function starterManifest({ name, transports, tool }: Starter): Promise<string> {
  const words = name.replace(/^@.*\//, "").split(/[-._]+/);
  const shared = {
    name,
    title: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "),
    stdio: transports.has("stdio"),
    http: transports.has("http"),
  };
  if (typeof tool === "string") return renderTemplate(`starter-${tool}.yaml`, shared);
  return renderTemplate("starter-minimal.yaml", {
    ...shared,
    tool: tool.name,
    toolDescription: tool.description,
  });
}

/** The message of `validate` about a server's name. `undefined` if the name is valid. */
export function nameProblem(name: string): string | undefined {
  return problemOf({ name });
}

/** The message of `validate` about a tool's name and description. `undefined` if both are valid. */
export function toolProblem(tool: FirstTool): string | undefined {
  return problemOf({ tools: [tool] });
}

/** The first error of a manifest with these fields. The manifest is written as JSON, which is also YAML. */
function problemOf(fields: object): string | undefined {
  const text = JSON.stringify({ name: "demo", version: "1.0.0", ...fields });
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  const problems = manifest === undefined ? diagnostics : validateManifest(manifest);
  return problems.find(({ severity }) => severity === "error")?.message;
}
