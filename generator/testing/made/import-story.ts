import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTwoFilesPatch } from "diff";
import { packageRoot } from "../../text/package-root.js";
import { withBlocks } from "./evolution-story.js";
import { mcpwright } from "../harness/projects/generated-project.js";

/** `examples/petstore-like/`: an API that is imported, edited, and imported again after it changed. */
export const petstoreFolder = fileURLToPath(new URL("examples/petstore-like/", packageRoot));

/** What the import has written in the end. */
export const IMPORTED = ["mcp.yaml", "mcpwright.import.lock.json"] as const;

/** The manifest as its author had edited it between the two imports. */
const EDITED = "story/edited.yaml";

/**
 * Lives through the story in an empty folder.
 *
 * @returns the blocks of the README, by their names
 */
export async function liveImportStory(folder: string): Promise<Map<string, string>> {
  const blocks = new Map<string, string>();
  const run = async (name: string, ...words: string[]): Promise<void> => {
    const { out, err } = await mcpwright(folder, ...words);
    blocks.set(name, err === "" || out === "" ? err + out : `${err}\n${out}`);
  };
  await mkdir(join(folder, "story"));
  for (const name of ["openapi-1.yaml", "openapi-2.yaml", EDITED]) {
    await copyFile(join(petstoreFolder, name), join(folder, name));
  }
  await run("first import", "import", "openapi", "openapi-1.yaml");
  const made = await readFile(join(folder, "mcp.yaml"), "utf8");
  const edited = await readFile(join(folder, EDITED), "utf8");
  const patch = createTwoFilesPatch("mcp.yaml", "mcp.yaml", made, edited, "", "", { context: 1 });
  blocks.set("edits", patch.slice(patch.indexOf("--- ")));
  await copyFile(join(folder, EDITED), join(folder, "mcp.yaml"));
  const { out } = await mcpwright(folder, "import", "openapi", "openapi-2.yaml", "--dry-run");
  blocks.set("difference", out.slice(0, out.indexOf("Would write")));
  await run("update", "import", "openapi", "openapi-2.yaml");
  await run("choice", "import", "--operation", "changePet,listVisits", "--prune");
  await run("again", "import");
  return blocks;
}

/** Writes the README of the story, and the manifest with which it ends. */
export async function retellImportStory(folder: string): Promise<void> {
  const blocks = await liveImportStory(folder);
  const readme = join(petstoreFolder, "README.md");
  await writeFile(readme, withBlocks(await readFile(readme, "utf8"), blocks));
  for (const name of IMPORTED) await copyFile(join(folder, name), join(petstoreFolder, name));
}
