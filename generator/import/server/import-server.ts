import { LIMITS } from "../../1-load/limits.js";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import type { Place } from "../../model/place.js";
import {
  serverItemLeftOut,
  serverPartLeftOut,
  serverUnusable,
} from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { manifestText } from "../../edit/manifest-text.js";
import { packageName, semanticVersion } from "../package-name.js";
import { Draft, SERVER, type Loss } from "./draft.js";
import type { ItemProblem } from "./mended-schema.js";
import { LIST_NAMES, type ListedServer, type ListName } from "./listed-server.js";
import { withValueTypes } from "../../schema/value-types.js";
import { pathOfProblem } from "../path-of-problem.js";
import type { Proxy } from "./proxy.js";
import { whyUnreadable } from "./readable-item.js";

export interface ServerImportOptions {
  /** The transport of the generated server. */
  readonly transport: "stdio" | "http";
  /** The server that calls are forwarded to. Without it, a person must write a handler for each item. */
  readonly proxy?: Proxy;
  /** Whether listed resources that fit a template are taken for its instances. */
  readonly findsInstances: boolean;
  /** The place of all diagnostics, since a server has no lines. */
  readonly place: Place;
}

/** The result of an import of a server. Nothing has been written yet. */
export interface ImportedServer {
  /** The manifest's text. Absent if there is nothing to write. */
  readonly manifest?: string;
  /** The number of items of each list in the manifest. */
  readonly counts: Readonly<Record<ListName, number>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The number of rounds in which parts of items are removed. After that, whole items are removed. */
const ROUNDS_FOR_PARTS = 20;

/**
 * Makes a new manifest from the lists of a server. The server that is generated from it has the same lists, once the code
 * that lists the instances of templates is written. Pure.
 *
 * All items go into a draft, which is validated. Parts and items with errors are removed until there are no errors.
 */
export function importServer(listed: ListedServer, options: ServerImportOptions): ImportedServer {
  const draft = new Draft(listed.lists);
  const serverFields = aboutServer(listed, draft.losses);
  draft.losses.push(...lostCapabilities(listed.capabilities));
  let hasInstances = options.findsInstances;
  for (let round = 0; ; round += 1) {
    const text = textOf(serverFields, draft, options);
    const { manifest, problem, errors } = checkText(text);
    const current = hasInstances ? errors.filter((error) => !isClashOfNames(error)) : errors;
    if (manifest !== undefined && current.length === 0) {
      // Only now, all URIs and templates are what the manifest will have.
      const isChanged = hasInstances && draft.moveInstances(options.proxy !== undefined);
      hasInstances = false;
      if (isChanged || errors.length > 0) continue;
      return { manifest: text, ...summaryOf(draft, options) };
    }
    const reason =
      manifest === undefined
        ? problem
        : removeFaultyParts(serverFields, draft, manifest, current, round >= ROUNDS_FOR_PARTS);
    if (reason === undefined) continue;
    const unusable = serverUnusable(options.place, { reason });
    const { counts, diagnostics } = summaryOf(draft, options);
    return { counts, diagnostics: [...diagnostics, unusable] };
  }
}

/** True for two items with one name or file name. Instances that go into their template no longer clash with others. */
const isClashOfNames = ({ code }: Diagnostic): boolean => code === "MW2004" || code === "MW2005";

interface TextCheck {
  readonly manifest?: LoadedManifest;
  /** Why the text cannot be loaded. */
  readonly problem: string;
  readonly errors: readonly Diagnostic[];
}

function checkText(text: string): TextCheck {
  const bytes = Buffer.from(text);
  const tooLarge = `lists more than a manifest can hold (${bytes.length} of ${LIMITS.fileBytes} bytes)`;
  if (bytes.length > LIMITS.fileBytes) return { problem: tooLarge, errors: [] };
  const { manifest, diagnostics } = loadManifest("mcp.yaml", bytes);
  if (manifest === undefined) {
    return {
      problem: `lists what no manifest can hold: ${diagnostics[0]?.message ?? ""}`,
      errors: [],
    };
  }
  const all = [...diagnostics, ...validateManifest(manifest)];
  return { manifest, problem: "", errors: all.filter(({ severity }) => severity === "error") };
}

/**
 * Removes from each item the part that its first error is about.
 *
 * @returns why nothing could be removed; `undefined` if something was removed
 */
function removeFaultyParts(
  serverFields: JsonObject,
  draft: Draft,
  manifest: LoadedManifest,
  errors: readonly Diagnostic[],
  isWholeItem: boolean,
): string | undefined {
  const problemsByItem = new Map<string, [ItemProblem, ...ItemProblem[]]>();
  for (const error of errors) {
    const path = pathOfProblem(manifest, error);
    const { message } = error;
    const itemKey = path.slice(0, isListName(path[0]) ? 2 : 1).join("/");
    const itemProblems = problemsByItem.get(itemKey);
    if (itemProblems === undefined) problemsByItem.set(itemKey, [{ path, message }]);
    else itemProblems.push({ path, message });
  }
  let isChanged = false;
  // From the end, so that a removal does not change the indexes of the other items.
  const ordered = [...problemsByItem.values()].sort(
    ([left], [right]) => Number(right.path[1] ?? 0) - Number(left.path[1] ?? 0),
  );
  for (const problems of ordered) {
    const [{ path, message }] = problems;
    const [list, index, ...innerPath] = path;
    if (isListName(list) && typeof index === "number") {
      const inItem = problems.map((problem) => ({ ...problem, path: problem.path.slice(2) }));
      const isMended = !isWholeItem && mend(draft, list, index, inItem);
      if (!isMended) draft.removePart(list, index, innerPath, message, isWholeItem);
      isChanged = true;
    } else if (typeof list === "string" && SERVER_KEYS.includes(list)) {
      delete serverFields[list];
      draft.losses.push({
        item: SERVER,
        reason: `\`${list}\` is left out: ${message}`,
        isWhole: false,
      });
      isChanged = true;
    }
  }
  return isChanged ? undefined : `lists what no manifest can say: ${errors[0]?.message ?? ""}`;
}

/** Corrects an item in place. @returns false if a part of it must be removed */
function mend(
  draft: Draft,
  list: ListName,
  index: number,
  problems: readonly ItemProblem[],
): boolean {
  if (list === "tools") return draft.mendSchemas(index, problems);
  if (list !== "prompts" && draft.mendName(list, index, problems)) return true;
  if (list === "resourceTemplates") return draft.mendTemplate(index, problems);
  return list === "resources" && draft.mendUri(index, problems);
}

const isListName = (key: unknown): key is ListName =>
  (LIST_NAMES as readonly unknown[]).includes(key);

/** Optional keys of a manifest that describe the server. */
const SERVER_KEYS = ["title", "description", "websiteUrl", "icons", "instructions"];

function aboutServer({ about, instructions }: ListedServer, losses: Loss[]): JsonObject {
  const serverInfo: JsonObject = { ...about, ...(instructions !== undefined && { instructions }) };
  const name = typeof serverInfo["name"] === "string" ? serverInfo["name"] : "";
  const version = typeof serverInfo["version"] === "string" ? serverInfo["version"] : "";
  const serverFields: JsonObject = {
    name: isPackageName(name) ? name : packageName(name, "server"),
    version: isVersion(version) ? version : semanticVersion(version),
  };
  const addLoss = (reason: string): void =>
    void losses.push({ item: SERVER, reason, isWhole: false });
  for (const key of ["name", "version"]) {
    if (serverInfo[key] === serverFields[key]) continue;
    addLoss(
      `\`${key}\` is ${JSON.stringify(serverFields[key])} now: npm does not allow what it was`,
    );
  }
  for (const key of Object.keys(serverInfo)) {
    if (key === "name" || key === "version") continue;
    const value = serverInfo[key] ?? null;
    const problem = SERVER_KEYS.includes(key) ? whyUnreadable(value) : "is not known";
    if (problem === undefined) serverFields[key] = value;
    else addLoss(`\`${key}\` is left out: it ${problem}`);
  }
  return serverFields;
}

const LONGEST_PACKAGE_NAME = 214;

function isPackageName(name: string): boolean {
  return name.length <= LONGEST_PACKAGE_NAME && isAllowed({ name, version: "1.0.0" });
}

const isVersion = (version: string): boolean =>
  version !== "package.json" && isAllowed({ name: "server", version });

/** True if a manifest with only these keys has no error. */
function isAllowed(serverFields: JsonObject): boolean {
  if (whyUnreadable(serverFields) !== undefined) return false;
  return checkText(manifestText(Object.entries(serverFields))).errors.length === 0;
}

/** The capabilities that are lost: a manifest has them in its items, but the lists do not say in which ones. */
function lostCapabilities(capabilities: JsonObject): Loss[] {
  const nested = ["resources", "tools", "prompts"].flatMap((key) => {
    const value = capabilities[key];
    const flags = isJsonObject(value)
      ? Object.keys(value).filter((flag) => value[flag] === true)
      : [];
    return flags.map((flag) => `${key}.${flag}`);
  });
  const topLevel = ["completions", "experimental", "extensions", "tasks"].filter((key) =>
    Object.hasOwn(capabilities, key),
  );
  const names = [...topLevel, ...nested];
  if (names.length === 0) return [];
  const reason = `its capabilities are left out (${names.join(", ")}): lists do not say for which items`;
  return [{ item: SERVER, reason, isWhole: false }];
}

function textOf(serverFields: JsonObject, draft: Draft, options: ServerImportOptions): string {
  const { transport, proxy } = options;
  const tools = draft.values("tools");
  const entries: [string, JsonValue][] = [
    ...Object.entries(serverFields),
    ["transports", [{ type: transport }]],
    ...Object.entries(proxy?.manifestKeys ?? {}),
    ...(tools.some(needsItsSchemas) ? [["schemaRefs", "verbatim"] as [string, JsonValue]] : []),
    ...LIST_NAMES.map((name): [string, JsonValue] => [
      name,
      withUpstream(draft.lists[name], proxy),
    ]),
  ];
  return manifestText(entries.filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

/** The items, with the upstream that calls are forwarded to. */
function withUpstream(items: Draft["lists"][ListName], proxy: Proxy | undefined): JsonObject[] {
  return items.map(({ value, remote }) =>
    proxy === undefined ? value : { ...value, mcp: { upstream: proxy.upstream, ...remote } },
  );
}

const COMBINATIONS = ["$ref", "allOf", "anyOf", "oneOf", "not", "enum"];

/** True if a generated server would list another schema than the manifest contains, unless `schemaRefs` is `verbatim`. */
function needsItsSchemas({ inputSchema, outputSchema }: JsonObject): boolean {
  if ([inputSchema, outputSchema].some(isChangedInLists)) return true;
  if (!isJsonObject(inputSchema)) return false;
  const isPlain = Object.hasOwn(inputSchema, "properties");
  return !isPlain || COMBINATIONS.some((key) => Object.hasOwn(inputSchema, key));
}

const isChangedInLists = (schema: JsonValue | undefined): boolean =>
  isJsonObject(schema) && withValueTypes(schema) !== schema;

function summaryOf(
  draft: Draft,
  { place }: ServerImportOptions,
): Pick<ImportedServer, "counts" | "diagnostics"> {
  const diagnostics = draft.losses.map(({ item, reason, isWhole }) =>
    (isWhole ? serverItemLeftOut : serverPartLeftOut)(place, { item, reason }),
  );
  const counts = LIST_NAMES.map((name) => [name, draft.lists[name].length] as const);
  return { counts: Object.fromEntries(counts) as Record<ListName, number>, diagnostics };
}
