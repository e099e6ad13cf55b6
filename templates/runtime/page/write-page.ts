import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createLog } from "../observe/log.js";
import type { Server } from "../server/define-server.js";
import { marksFor } from "./item-marks.js";

/** The path of the written page in the project's folder. Some web hosts serve its folder directly. */
const file = "docs/index.html";

/**
 * Writes a static page that contains the server's lists to `docs/index.html` of the project. It makes no calls, so it can be
 * opened as a file.
 */
export async function writePage({
  definition,
  root,
}: Pick<Server, "definition" | "root">): Promise<void> {
  const page = await import("./page-document.js");
  const catalogue = { ...catalogueOf(definition), ...(await skillsOf(definition, root)) };
  const data = JSON.stringify({ catalogue }).replaceAll("<", "\\u003c");
  const html = page.html.replace(/(<script [^>]*id="data">)/, (tag) => tag + data);
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), html);
  process.stdout.write(`${file} shows what ${definition.info.name} offers\n`);
}

/** The members of an item that the page needs. */
interface ListedItem {
  readonly definition: unknown;
  readonly enabled?: boolean;
}

/** The contents of the protocol's lists, without items that are switched off at the start. */
function catalogueOf(definition: Server["definition"]): object {
  const { info: server, instructions } = definition;
  // A project has only the lists for which it has items.
  const lists: Readonly<Record<string, unknown>> = { ...definition };
  const listed = (name: string): readonly unknown[] =>
    ((lists[name] ?? []) as readonly ListedItem[])
      .filter(({ enabled }) => enabled !== false)
      .map((item) => item.definition);
  return {
    server,
    instructions,
    tools: listed("tools"),
    resources: listed("resources"),
    resourceTemplates: listed("resourceTemplates"),
    prompts: listed("prompts"),
    marks: marksFor(definition),
  };
}

/** The skills that are in the project now, as the page has them. */
async function skillsOf(definition: Server["definition"], root: string): Promise<object> {
  if (definition.skillFolders === undefined) return {};
  const { FolderSkills } = await import("../skills/skill-catalog.js");
  const log = createLog();
  const skills = await Promise.all(
    definition.skillFolders.map((folder) =>
      new FolderSkills(folder, resolve(root, folder.root), log).entries(),
    ),
  );
  return { skills: skills.flat() };
}
