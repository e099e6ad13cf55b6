import { isUtf8 } from "node:buffer";
import { planProject } from "../../../6-reconcile/plan-project.js";
import type { ReconcileInput } from "../../../6-reconcile/plan-project.js";
import { readLock } from "../../../6-reconcile/read-lock.js";
import type { SourceEditor } from "../../../6-reconcile/source-editor.js";
import { FolderTree, type ProjectTree, type ReadableFiles } from "../../../6-reconcile/tree.js";
import { OverlayFiles } from "../../../7-apply/overlay-files.js";
import type { JsonObject } from "../../../model/json.js";
import type { HandlerFile, OutputFile } from "../../../model/output-file.js";
import type { Plan } from "../../../model/plan.js";

/** Absolute path of the project of a test. */
export const ROOT = "/project";

function findNothing(path: string): never {
  throw Object.assign(new Error(`nothing at ${path}`), { code: "ENOENT", path });
}

const emptyDisk: ReadableFiles = {
  status: (path) => (path === "/" ? { kind: "folder", size: 0, links: 1, mode: 0o755 } : undefined),
  read: findNothing,
  list: () => [],
};

/** A project folder in memory. */
export class MemoryProject {
  readonly files: OverlayFiles;
  /** Grows with each change that a test makes as a person. */
  generation = 0;

  /** @param base another project, which this one begins as a copy of */
  constructor(content: Readonly<Record<string, string>> = {}, base?: MemoryProject) {
    this.files = new OverlayFiles(base?.files ?? emptyDisk);
    if (base === undefined) this.files.makeFolder(ROOT);
    for (const [path, text] of Object.entries(content)) this.write(path, text);
  }

  get tree(): ProjectTree {
    return new FolderTree(ROOT, this.files);
  }

  /** Writes a file as a person does: makes folders, and replaces an existing file. */
  write(path: string, text: string | Uint8Array): void {
    const segments = `${ROOT}/${path}`.split("/");
    for (let length = 3; length < segments.length; length++) {
      const folder = segments.slice(0, length).join("/");
      if (this.files.status(folder) === undefined) this.files.makeFolder(folder);
    }
    this.remove(path);
    this.files.create(`${ROOT}/${path}`, Buffer.from(text));
    this.generation++;
  }

  remove(path: string): void {
    if (!this.has(path)) return;
    this.files.unlink(`${ROOT}/${path}`);
    this.generation++;
  }

  has(path: string): boolean {
    return this.files.status(`${ROOT}/${path}`) !== undefined;
  }

  bytes(path: string): Uint8Array {
    return this.files.read(`${ROOT}/${path}`);
  }

  /** Returns the text of a file. If it is not UTF-8, the text is an encoding of its bytes. */
  text(path: string): string {
    const { buffer, byteOffset, byteLength } = this.bytes(path);
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return isUtf8(bytes) ? bytes.toString() : `not UTF-8: ${bytes.toString("base64")}`;
  }

  edit(path: string, change: (text: string) => string): void {
    this.write(path, change(this.text(path)));
  }

  /** Every file by its path, sorted. */
  snapshot(folder = ""): Record<string, string> {
    const names = this.files.list(folder === "" ? ROOT : `${ROOT}/${folder}`);
    const entries = names.toSorted().flatMap((name) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      const isFolder = this.files.status(`${ROOT}/${path}`)?.kind === "folder";
      return isFolder ? Object.entries(this.snapshot(path)) : [[path, this.text(path)]];
    });
    return Object.fromEntries(entries);
  }
}

/** A small project: two generated files, a handler with its test for each tool, a scaffold, merged files. */
export function projectFiles(tools: readonly string[], version = "1"): OutputFile[] {
  return [
    { owner: "generated", path: "src/main.ts", content: `// main ${version}\n` },
    { owner: "generated", path: "src/generated/tools.ts", content: `// ${tools.join(" ")}\n` },
    ...tools.flatMap((tool) => toolFiles(tool, version)),
    { owner: "scaffold", path: "README.md", content: `# Read me ${version}\n` },
    { owner: "merged", format: "json", path: "package.json", content: packageJson(tools, version) },
    { owner: "merged", format: "env", path: ".env.example", content: "# The key\nKEY=\n" },
  ];
}

function toolFiles(tool: string, version: string): OutputFile[] {
  const item: HandlerFile["item"] = `tool:${tool}`;
  const stub = `export const ${tool}: ToolHandler<"${tool}"> = stub(${version});\n`;
  return [
    {
      owner: "generated",
      path: `test/generated/${tool}.test.ts`,
      content: `// contract ${tool}\n`,
    },
    { owner: "handler", path: `src/tools/${tool}.ts`, content: stub, item, exportName: tool },
    { owner: "starter-test", path: `test/tools/${tool}.test.ts`, content: `// ${tool}\n`, item },
  ];
}

function packageJson(tools: readonly string[], version: string): string {
  const value = {
    name: "demo",
    version: `${version}.0.0`,
    scripts: { build: "tsc" },
    keywords: tools,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Finds nothing to change in any file. */
const passiveEditor: SourceEditor = {
  problemIn: () => undefined,
  edit: () => ({ splices: [], exportAdded: false }),
};

/** Plans `files` for a tree; what the test does not name has its usual value. */
export function planFor(
  tree: ProjectTree,
  files: readonly OutputFile[],
  { options, ...rest }: TestChoices = {},
): Plan {
  const names = files.flatMap((file) => (file.owner === "handler" ? file.exportName : []));
  const manifest: JsonObject = { name: "demo", tools: names.map((name) => ({ name })) };
  return planProject({
    files,
    renames: new Map(),
    manifestCode: new Map(),
    editor: passiveEditor,
    lock: readLock(tree),
    tree,
    generation: { generator: "1.0.0", manifest },
    semantic: [],
    options: { overwriteEdited: false, adopt: false, ...options },
    ...rest,
  });
}

export type TestChoices = Partial<Omit<ReconcileInput, "options">> & {
  readonly options?: Partial<ReconcileInput["options"]>;
};
