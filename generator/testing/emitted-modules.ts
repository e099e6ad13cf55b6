import { posix } from "node:path";
import { ts } from "ts-morph";
import type { OutputFile } from "../model/output-file.js";

/**
 * Runs modules of a project that is in memory, in this process, as a server would load them. What
 * lies outside, such as the runtime, is a function that returns itself. What is imported late is not
 * loaded.
 */
export class EmittedModules {
  readonly #files: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, Record<string, unknown>>();

  constructor(files: readonly OutputFile[]) {
    const own = files.filter(({ path }) => !path.startsWith("src/generated/runtime/"));
    this.#files = new Map(own.map(({ path, content }) => [path, content]));
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
    new Function("exports", "require", outputText)(exports, require);
    return exports;
  }

  #require(specifier: string, folder: string): unknown {
    if (/\/define-\w+\.ts$/.test(specifier)) return definers;
    if (/\/runtime\/access\//.test(specifier)) return verifiers;
    const path = specifier.startsWith("#")
      ? `src/generated/${specifier.slice(1)}`
      : posix.join(folder, specifier);
    return this.#files.has(path) && path !== "src/generated/index.ts" ? this.load(path) : anything;
  }
}

/** The functions that make the entries of items return their argument. */
const definers: unknown = new Proxy({}, { get: () => (item: unknown) => item });

/** What makes verifiers of callers gives back all that it is given. */
const verifiers: unknown = new Proxy(
  {},
  {
    get:
      () =>
      (...settings: unknown[]) =>
        settings,
  },
);

const anything: unknown = new Proxy(() => anything, { get: () => anything });
