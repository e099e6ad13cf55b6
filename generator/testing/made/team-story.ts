import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../text/package-root.js";
import { mcpwright } from "../harness/projects/generated-project.js";
import { commit, edit, git, write } from "../harness/projects/project-folder.js";
import { withBlocks } from "./evolution-story.js";

/** `examples/TEAM.md`: two people, each with a file of one manifest. */
export const teamStory = fileURLToPath(new URL("examples/TEAM.md", packageRoot));

const MANIFEST = `name: shop
version: 1.0.0
include: [tools/*.yaml]
schemas:
  Article: { type: string, pattern: "^[A-Z]{2}-[0-9]{1,6}$", description: "Number of an article, such as AB-12" }
`;

const ORDERS = `tools:
  - name: find_order
    description: Finds an order by its number, and answers what was ordered.
    annotations: { readOnlyHint: true }
    inputSchema:
      type: object
      properties: { order: { type: integer, minimum: 1, description: Its number } }
      required: [order]
      additionalProperties: false
`;

const STOCK = `tools:
  - name: count_stock
    description: Counts how many of an article are in stock.
    annotations: { readOnlyHint: true }
    inputSchema:
      type: object
      properties: { article: { $ref: "#/schemas/Article" } }
      required: [article]
      additionalProperties: false
`;

/** What Ada adds to the end of her file. */
const CANCEL = `
  - name: cancel_order
    description: Cancels an order that was not sent yet, and answers whether it could.
    annotations: { readOnlyHint: false, destructiveHint: true }
    inputSchema:
      type: object
      properties: { order: { type: integer, minimum: 1, description: Its number } }
      required: [order]
      additionalProperties: false
`;

/** What Bob adds to the beginning of his, which follows hers, with a slip of the pen. */
const RESERVE = `  - name: reserve_article
    descripton: Reserves an article for a day, and answers how many are left.
    annotations: { readOnlyHint: false, destructiveHint: false }
    inputSchema:
      type: object
      properties: { article: { $ref: "#/schemas/Article" } }
      required: [article]
      additionalProperties: false

`;

/**
 * Lives through the story in an empty folder.
 *
 * @returns the blocks of the story, by their names
 */
export async function liveTeamStory(folder: string): Promise<Map<string, string>> {
  const blocks = new Map<string, string>();
  const run = async (name: string, ...commands: readonly string[]): Promise<void> => {
    const shown: string[] = [];
    for (const command of commands) shown.push(`$ ${command}\n${await outputOf(folder, command)}`);
    blocks.set(name, shown.join("\n"));
  };
  const files = { "mcp.yaml": MANIFEST, "tools/orders.yaml": ORDERS, "tools/stock.yaml": STOCK };
  for (const [path, text] of Object.entries(files)) await write(folder, path, text);
  blocks.set(
    "files",
    Object.entries(files)
      .map(([path, text]) => `# ${path}\n${text}`)
      .join("\n"),
  );
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await mcpwright(folder, "generate");
  await commit(folder, "Begin");

  await git(folder, "checkout", "--quiet", "-b", "cancel");
  await edit(folder, "tools/orders.yaml", (text) => text + CANCEL);
  await run("ada", "mcpwright plan");
  await mcpwright(folder, "generate");
  await commit(folder, "Cancel orders");

  await git(folder, "checkout", "--quiet", "-b", "reserve", "main");
  await edit(folder, "tools/stock.yaml", (text) => text.replace("tools:\n", `tools:\n${RESERVE}`));
  await run("bob", "mcpwright validate", "mcpwright validate --fix");
  await mcpwright(folder, "generate");
  await commit(folder, "Reserve articles");

  await git(folder, "checkout", "--quiet", "main");
  await git(folder, "merge", "--quiet", "cancel");
  await run("merge", "git merge --no-stat --no-edit reserve", "git status --short");
  await run("finish", "mcpwright check", "mcpwright generate", "mcpwright check");
  await run("both", "mcpwright diff git:main~1 mcp.yaml");
  return blocks;
}

/** Runs a command line, and returns what a terminal shows of it. */
async function outputOf(folder: string, command: string): Promise<string> {
  const [program = "", ...words] = command.split(" ");
  if (program === "git") return git(folder, ...words);
  const { out, err } = await mcpwright(folder, ...words);
  return err + out;
}

/** Writes the story again. */
export async function retellTeamStory(folder: string): Promise<void> {
  const blocks = await liveTeamStory(folder);
  await writeFile(teamStory, withBlocks(await readFile(teamStory, "utf8"), blocks));
}
