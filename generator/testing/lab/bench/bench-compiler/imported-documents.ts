import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { publicDocuments, type PublicDocument } from "../../measure/public-documents.js";
import { measured } from "./measured-process.js";

/** What a cold run may cost in CPU time: for itself and for each tool, in seconds. */
const BASE = 1;
const EACH_TOOL = 0.04;

/**
 * Prints the CPU time of a cold `generate` for each manifest that is imported from an OpenAPI document, dearest for
 * its tools first, with the time that it may take.
 *
 * @param bin path of the built command
 * @param root an empty folder for the projects
 * @param files paths of documents; if there are none, the public ones are taken
 */
export async function benchImported(
  bin: string,
  root: string,
  files: readonly string[],
): Promise<void> {
  const named = files.map((file) => ({ name: file, path: resolve(file) }));
  const documents = named.length > 0 ? named : await publicDocuments(1);
  const rows: Row[] = [];
  for (const [index, document] of documents.entries()) {
    const row = await costOf(bin, join(root, String(index)), document);
    if (row !== undefined) rows.push(row);
  }
  const share = ({ cpu, allowed }: Row): number => cpu / allowed;
  console.log("     CPU  allowed  tools  document");
  for (const row of rows.toSorted((left, right) => share(right) - share(left))) {
    const { cpu, allowed, tools, name } = row;
    const times = [cpu, allowed].map((seconds) => `${seconds.toFixed(2)} s`.padStart(8)).join(" ");
    console.log(`${times} ${String(tools).padStart(6)}  ${name}`);
  }
  const dearer = rows.filter((row) => share(row) > 1).length;
  console.log(`${rows.length} documents with tools; ${dearer} take more than is allowed`);
}

interface Row {
  readonly name: string;
  readonly tools: number;
  /** CPU time in seconds. */
  readonly cpu: number;
  readonly allowed: number;
}

/** Undefined if no tool can be imported from the document. */
async function costOf(
  bin: string,
  folder: string,
  { name, path }: PublicDocument,
): Promise<Row | undefined> {
  await mkdir(folder);
  const imported = spawnSync(
    process.execPath,
    [bin, "import", "openapi", path, "--path", "/**", "--quiet"],
    { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  if (imported.status !== 0 || !existsSync(join(folder, "mcp.yaml"))) return undefined;
  const { cpu } = measured(folder, bin, "generate", "--quiet");
  const validated = spawnSync(process.execPath, [bin, "validate"], {
    cwd: folder,
    encoding: "utf8",
  });
  const tools = Number(/(\d+) tools?/.exec(validated.stdout)?.[1] ?? 0);
  return { name, tools, cpu, allowed: BASE + EACH_TOOL * tools };
}
