import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import { renderTemplate } from "../../5-emit/project/templates.js";

/** What a starter manifest is made of; every part has been checked. */
export interface Starter {
  readonly name: string;
  readonly transports: ReadonlySet<string>;
  /** The one tool of the minimal manifest; the others have tools of their own. */
  readonly tool: FirstTool | OtherStarter;
}

/** Starter manifests whose first item has a body, by its key. */
export const BODY_STARTERS = ["http", "sql", "exec", "directory"] as const;

/** Starter manifests beside the minimal one: all that there is, and what bodies can say. */
export const OTHER_STARTERS = ["full", ...BODY_STARTERS] as const;
export type OtherStarter = (typeof OTHER_STARTERS)[number];

export interface FirstTool {
  readonly name: string;
  readonly description: string;
}

/** What the minimal manifest's tool really does, whatever it is called. */
export const usualTool: FirstTool = { name: "echo", description: "Says a text back." };

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

/** What is wrong with a server's name, in the words of `validate`; `undefined` for a good one. */
export function nameProblem(name: string): string | undefined {
  return problemOf({ name });
}

/** The same for a tool's name and description. */
export function toolProblem(tool: FirstTool): string | undefined {
  return problemOf({ tools: [tool] });
}

/** JSON is YAML, so that the validator itself can be asked. */
function problemOf(fields: object): string | undefined {
  const text = JSON.stringify({ name: "demo", version: "1.0.0", ...fields });
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  const found = manifest === undefined ? diagnostics : validateManifest(manifest);
  return found.find(({ severity }) => severity === "error")?.message;
}
