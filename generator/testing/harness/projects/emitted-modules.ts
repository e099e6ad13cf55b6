import { posix } from "node:path";
import { ts } from "ts-morph";
import { SHARED_MODULES } from "../../../5-emit/validators/shared-functions.js";
import type { OutputFile } from "../../../model/output-file.js";

/**
 * Runs modules of a project that is in memory, in this process, as a server would load them. What
 * lies outside, such as the runtime, is a function that returns itself. What is imported late is not
 * loaded.
 */
export class EmittedModules {
  readonly #files: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, Record<string, unknown>>();

  constructor(files: readonly OutputFile[]) {
    this.#files = new Map(files.map(({ path, content }) => [path, content]));
  }

  /** The exports of a module, by its path in the project. */
  load(path: string): Record<string, unknown> {
    const loaded = this.#loaded.get(path);
    if (loaded !== undefined) return loaded;
    const exports: Record<string, unknown> = {};
    this.#loaded.set(path, exports);
    const { outputText } = ts.transpileModule(this.#files.get(path) ?? "", {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const require = (specifier: string): unknown => this.#require(specifier, posix.dirname(path));
    const code = outputText.replaceAll("import.meta.url", '"file:///project/module.ts"');
    new Function("exports", "require", code)(exports, require);
    return exports;
  }

  #require(specifier: string, folder: string): unknown {
    if (specifier === "@mcpwright/runtime") return definers;
    // Validators run with the real parts, since they judge values.
    const shared = /^@mcpwright\/runtime\/validators\/(.+)/.exec(specifier)?.[1];
    if (shared !== undefined) return SHARED_MODULES[shared];
    if (specifier.startsWith("@mcpwright/runtime/")) return partMakers;
    const path = posix.join(folder, specifier);
    return this.#files.has(path) && path !== "src/generated/index.ts" ? this.load(path) : anything;
  }
}

/** The functions that define servers and items return their argument. */
const definers: unknown = new Proxy({}, { get: () => (definition: unknown) => definition });

/** The functions that make parts of servers return all that they are given, with what functions among it return. */
const partMakers: unknown = new Proxy(
  {},
  {
    get:
      () =>
      (...settings: unknown[]) =>
        settings.map((setting) =>
          typeof setting === "function" ? (setting as (env: object) => unknown)({}) : setting,
        ),
  },
);

const anything: unknown = new Proxy(() => anything, { get: () => anything });
