import { bodyItems, bodyModulePath } from "../../../5-emit/bodies/body-items.js";
import { posix } from "node:path";
import { isDeepStrictEqual, parseEnv } from "node:util";
import { withWholeValues } from "../../../../templates/runtime/suite/changed-values.js";
import type {
  JsonObject as ContractJson,
  ToolContract,
} from "../../../../templates/runtime/suite/contract.js";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { emit } from "../../../5-emit/emit.js";
import { sourceModules } from "../../../5-emit/modules/source-modules.js";
import { itemModulePath } from "../../../5-emit/modules/module-names.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import { validManifest } from "../../../model/loaded-manifest.js";
import type { Manifest } from "../../../model/manifest.js";
import type { OutputFile } from "../../../model/output-file.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { EmittedModules } from "../projects/emitted-modules.js";
import { markdownShape } from "./markdown-shape.js";
import { syntaxShape } from "./syntax-shape.js";

/** A manifest's project in memory. */
export interface Emission {
  readonly model: ServerModel;
  /** Sorted by path. */
  readonly files: readonly OutputFile[];
}

/** The manifest as a file; everything beyond ASCII is escaped, so that no editor or encoding matters. */
export function manifestText(manifest: Manifest): string {
  const json = JSON.stringify(manifest, null, 2);
  return json.replace(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Compiles a manifest as the command does, from the text of its file. @throws Error where it is refused */
export async function emitManifest(manifest: Manifest): Promise<Emission> {
  const loaded = loadManifest("mcp.yaml", Buffer.from(manifestText(manifest))).manifest;
  if (loaded === undefined) throw new Error("the manifest cannot be loaded");
  const errors = validateManifest(loaded).filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    throw new Error(
      errors.map(({ code, line, message }) => `${line} ${code} ${message}`).join("\n"),
    );
  }
  return emitModel(validManifest(loaded.value));
}

/** Compiles a manifest that may be one that the command refuses for its characters. */
export async function emitModel(manifest: Manifest): Promise<Emission> {
  const model = normalize(manifest);
  return { model, files: await emit(model) };
}

/** What keeps the twin of a manifest: the shapes of all files with harmless strings in the slots. */
export interface ProjectShape {
  readonly files: readonly { readonly path: string; readonly shape: FileShape }[];
}

interface FileShape {
  /** Compared one by one. */
  readonly lines: readonly string[];
  /** Numbers of things that may only be fewer than in the twin: comments leave out long literals. */
  readonly most: Readonly<Record<string, number>>;
}

export function projectShape({ files }: Emission): ProjectShape {
  return { files: files.map(({ path, content }) => ({ path, shape: fileShape(path, content) })) };
}

const fixedShapes = new Map<string, FileShape>();

/** The many files that are copied as they are have one shape each. */
function fileShape(path: string, content: string): FileShape {
  if (!isCopied(path)) return shapeOf(path, content);
  const shape = fixedShapes.get(content) ?? shapeOf(path, content);
  fixedShapes.set(content, shape);
  return shape;
}

const isCopied = (path: string): boolean => /^(src\/generated\/runtime|mcp\.schema)/.test(path);

function shapeOf(path: string, content: string): FileShape {
  switch (posix.extname(path)) {
    case ".ts":
    case ".js": {
      const { kinds, comments, tags, directives } = syntaxShape(path, content);
      return { lines: [...directives, ...kinds], most: { comments, tags: tags.length } };
    }
    case ".md":
      return { lines: markdownShape(content), most: {} };
    case ".example":
      return { lines: environmentShape(content), most: {} };
    default:
      // JSON is compared by its values; the rest does not depend on a manifest.
      return { lines: posix.extname(path) === ".json" ? [] : content.split("\n"), most: {} };
  }
}

/** Each variable with the number of lines that set it; comments are as long as they are. */
function environmentShape(content: string): string[] {
  const lines = content.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
  return [
    ...lines.map((line) => line.slice(0, line.indexOf("="))),
    ...Object.keys(parseEnv(content)),
  ];
}

/** How a project differs from its twin where only strings may; nothing where all is well. */
export function differences(found: ProjectShape, twin: ProjectShape): string[] {
  if (found.files.length !== twin.files.length) return ["another number of files"];
  return found.files.flatMap(({ path, shape }, index) => {
    const expected = twin.files[index];
    if (expected === undefined || posix.dirname(expected.path) !== posix.dirname(path)) {
      return [`${path}: a file elsewhere`];
    }
    const { lines, most } = expected.shape;
    const more = Object.keys(most).find((what) => (shape.most[what] ?? 0) > (most[what] ?? 0));
    if (more !== undefined) return [`${path}: more ${more}`];
    const length = Math.max(lines.length, shape.lines.length);
    for (let at = 0; at < length; at++) {
      if (shape.lines[at] !== lines[at]) {
        return [
          `${path}: ${shape.lines[at]?.trim()} in place of ${lines[at]?.trim()} (node ${at})`,
        ];
      }
    }
    return [];
  });
}

/**
 * Controls, separators, lone surrogates, and all that Unicode has to reorder text or to stay
 * unseen; the signs that stand before Arabic and Syriac numbers are seen.
 */
const RAW =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** The marks inside emoji, which hide nothing; texts for people keep them. */
const EMOJI =
  /(?<=(?!\p{Default_Ignorable_Code_Point})[\u203c-\u3299\u{1f000}-\u{1faff}]\ufe0f?)[\ufe0f\u200d]/gu;

/** Matches comments that Node.js would use as a source map, anywhere in a file. */
const SOURCE_MAP = /\/[*/]#\s+sourceMappingURL=/;

/** Characters of the manifest that stand in a file as they are and should not. */
export function rawCharacters({ files }: Emission): string[] {
  return files.flatMap(({ path, content }) => {
    if (isCopied(path)) return [];
    const text = /\.(?:md|example)$/.test(path) ? content.replace(EMOJI, "") : content;
    const [raw] = text.replaceAll("\n", "").match(RAW) ?? [];
    const sourceMap = /\.[jt]s$/.test(path) && SOURCE_MAP.test(content);
    return [
      ...(raw === undefined ? [] : [`${path}: U+${raw.codePointAt(0)?.toString(16)} as it is`]),
      ...(sourceMap ? [`${path}: what Node.js takes for a source map`] : []),
    ];
  });
}

interface RunningDefinition {
  readonly resource?: (env: object) => unknown;
  readonly tools?: readonly { definition: JsonObject }[];
  readonly resources?: readonly { definition: JsonObject }[];
  readonly resourceTemplates?: readonly { definition: JsonObject }[];
  readonly prompts?: readonly { definition: JsonObject }[];
}

/** Runs the tables of a project, and finds differences from the manifest. */
export function wrongValues(emission: Emission, strings: readonly string[]): string[] {
  const modules = new EmittedModules(emission.files);
  const { server: definition } = modules.load("src/generated/server.ts") as {
    server: RunningDefinition;
  };
  const lists = ["tools", "resources", "resourceTemplates", "prompts"] as const;
  const wrong = lists.filter(
    (list) =>
      JSON.stringify((definition[list] ?? []).map((entry) => entry.definition)) !==
      JSON.stringify(emission.model[list].map(({ wire }) => wire)),
  );
  const documents = documentsOf(emission);
  return [
    ...wrong.map((list) => `${list}: another list`),
    ...lostStrings(strings, [
      definition,
      definition.resource?.({}),
      ...documents.values(),
      ...sentRequests(emission, modules),
    ]),
    ...emission.model.tools.flatMap((tool) => {
      const path = `test/generated/contracts/tools/${tool.fileName}.json`;
      return wrongVerdicts(tool, modules, wholeContract(documents.get(path)));
    }),
    ...wrongEnvironment(emission),
    ...("__PWNED__" in globalThis ? ["code of the manifest ran"] : []),
  ];
}

type BodyHandler = (input: unknown, ctx: unknown) => Promise<unknown>;

/** What the code of bodies hands to their upstreams, other servers and databases. */
function sentRequests({ model }: Emission, modules: EmittedModules): unknown[] {
  const sent: unknown[] = [];
  const upstream = new Proxy(
    {},
    {
      get:
        () =>
        async (...request: unknown[]) =>
          sent.push(request),
    },
  );
  const services = new Proxy({}, { get: () => upstream });
  const context = { upstreams: services, servers: services, databases: services };
  for (const item of bodyItems(model)) {
    const module = modules.load(`src/generated/${bodyModulePath(item)}.ts`);
    const handler = (module as Record<string, BodyHandler>)[item.identifier];
    // A body sends its request without waiting before. Its result without an answer does not matter.
    handler?.({ who: "who" }, context).catch(() => undefined);
  }
  // What is given to a completion has names of the manifest.
  const given = new Proxy({}, { get: () => "given" });
  for (const find of sourceFunctions(model, modules)) {
    const query = find.length === 1 ? context : { value: "typed", given };
    find(query, context).catch(() => undefined);
  }
  return sent;
}

/** The code of bodies that complete, with two parameters, and that list, with one. */
function sourceFunctions(model: ServerModel, modules: EmittedModules): BodyHandler[] {
  return sourceModules(model).flatMap(({ path }) => {
    const module = modules.load(`src/generated/${path}.ts`) as object;
    return Object.values(module).flatMap((found: BodyHandler | Record<string, BodyHandler>) =>
      typeof found === "function" ? [found] : Object.values(found),
    );
  });
}

function documentsOf({ files }: Emission): Map<string, unknown> {
  const json = files.filter(({ path }) => path.endsWith(".json") && !isCopied(path));
  return new Map(json.map(({ path, content }) => [path, JSON.parse(content) as unknown]));
}

/** Returns the strings that are neither a value nor a key of the emitted tables, nor part of one. */
function lostStrings(strings: readonly string[], values: readonly unknown[]): string[] {
  const present = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") present.add(value);
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      present.add(key);
      visit(item);
    }
  };
  values.forEach(visit);
  const all = [...present].join("\n");
  return strings
    .filter((text) => !present.has(text) && !all.includes(text))
    .map((text) => `lost: ${JSON.stringify(text)}`);
}

/** Variables whose value in `.env.example` is neither their default nor left to the reader. */
function wrongEnvironment({ model, files }: Emission): string[] {
  const example = files.find(({ path }) => path === ".env.example")?.content ?? "";
  const values = parseEnv(example);
  return model.env
    .filter(({ name, default: value = "" }) => !["", String(value)].includes(values[name] ?? "?"))
    .map(({ name }) => `${name}: another default in .env.example`);
}

/** A contract as the suites read it from its file. */
function wholeContract(file: unknown): ToolContract | undefined {
  if (file === undefined) return undefined;
  // The type of JSON does not say what the files of contracts have.
  return withWholeValues(file as ContractJson) as unknown as ToolContract;
}

/** The values that the contract tests will send, tried on the emitted validators. */
function wrongVerdicts(
  tool: ToolModel,
  modules: EmittedModules,
  contract: ToolContract | undefined,
): string[] {
  const { input } = modules.load(`src/generated/${itemModulePath(tool)}.validators.ts`) as {
    input: (value: JsonValue) => boolean;
  };
  // What a tool without arguments gets is dropped before its validator runs.
  const judged = contract?.accepted.filter(({ received }) => !isDeepStrictEqual(received, {}));
  const accepted = judged?.map((call) => call.arguments) ?? [];
  const refused = contract?.refused.map(({ value }) => value) ?? [];
  const wrong = [
    ...accepted.filter((value) => !input(value)),
    ...refused.filter((value) => input(value)),
  ];
  return wrong.map((value) => `${tool.name}: misjudged ${JSON.stringify(value)}`);
}
