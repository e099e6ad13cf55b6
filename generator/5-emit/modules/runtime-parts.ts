import type { ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import { FEATURES, type Feature } from "../features.js";
import { listOf } from "../../text/code.js";
import type { Entry } from "./item-settings.js";
import { importOf } from "./structures.js";

/**
 * Functions that a module of the runtime contributes to the definition of servers with a feature. If a server also
 * has the feature `unless`, another module contributes them.
 */
type PartsModule = readonly [
  feature: Feature,
  module: string,
  parts: readonly string[],
  unless?: Feature,
];

const PARTS: readonly PartsModule[] = [
  ["asking", "asking/asking", ["createAsking as createHandlerRunner"]],
  ["asking", "asking/definition", ["readAnswers as extendCaller"]],
  ["asking", "asking/define-asks", ["formImports as importsOf"]],
  ["asking", "asking/request-state-keys", ["readAskingSettings as readSettings"]],
  ["lastingQuestions", "http/open-questions", ["limitQuestions"]],
  ["access", "authentication/access", ["createAccess"]],
  ["callers", "authentication/auth-info", ["authInfoOf", "senderOf"]],
  ["telemetry", "telemetry/requests", ["traceMethods"]],
  ["tracedHeaders", "telemetry/headers", ["traceHeaders"]],
  ["tracedUpstreams", "telemetry/upstreams", ["traceRequest"]],
  ["tracedDatabases", "telemetry/databases", ["traceStatements"]],
  ["audit", "audit/audit", ["openAudit"]],
  ["verification", "../verification", ["createVerification"]],
  ["scopes", "authentication/item-scopes", ["createScopes", "guardMethods"]],
  ["changes", "changes/changes", ["createControls", "createChanges"]],
  ["changesOverHttp", "changes/quiet-capabilities", ["quietCapabilities"]],
  ["completion", "completion/completion", ["createCompletion"]],
  ["legacyExceptions", "fast-path/legacy-exceptions", ["legacyExceptions"]],
  [
    "filteredLists",
    "authentication/filtered-lists",
    ["createFilteredList as createPagedList", "isHidden"],
  ],
  ["pagedLists", "engine/paged-item-list", ["createPagedList"], "filteredLists"],
  ["http", "http/request-data", ["createRequestData"]],
  ["metrics", "observe/metrics", ["createMetrics"]],
  ["metrics", "observe/metrics-page", ["metricsPage"]],
  ["readiness", "http/readiness", ["readyPage"]],
  ["page", "page/page", ["createPage"]],
  ["network", "observe/refusal-counts", ["countRefusals"]],
  ["prompts", "prompts/prompts", ["createPrompts"]],
  ["resources", "resources/resources", ["createResources"]],
  ["sharedChanges", "scale/shared-changes", ["shareChanges"]],
  ["sharedRates", "scale/shared-rates", ["shareRates"]],
  ["search", "search/search", ["createSearchedTools"]],
  ["headerParameters", "server/header-parameters", ["compareHeaders", "repeatsArguments"]],
  ["completable", "server/replaced-code", ["replaceOtherCode"]],
  ["environment", "start/env", ["checkEnvironment"]],
  ["backends", "backends/backends", ["createBackends"]],
  ["upstreams", "upstreams/upstreams", ["createUpstreams"]],
  ["remoteServers", "remote-servers/remote-servers", ["createServers"]],
  ["remotePrograms", "remote-servers/program-transport", ["programTransport"]],
  ["remoteUrls", "remote-servers/url-transport", ["urlTransport"]],
  ["databases", "databases/databases", ["createDatabases"]],
  ["programs", "programs/programs", ["createPrograms"]],
  ["directories", "directories/directories", ["createDirectories"]],
  ["postgres", "databases/postgres", ["openPostgres"]],
  ["sqlite", "databases/sqlite", ["openSqlite"]],
  ["defaults", "tools/defaults", ["withDefaults"]],
  ["exactNumbers", "tools/exact-numbers", ["convertMessage", "exactNumbers", "prepareArguments"]],
  ["fixedTools", "tools/fixed", ["renderFixed"]],
];

/** Members of the definition that are lists of functions, with the functions of each, in order. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  otherFeatures: ["createResources", "createPrompts", "createCompletion"],
  facilities: [
    "createChanges",
    "createRequestData",
    "createBackends",
    "createMetrics",
    "createAccess",
  ],
  openFacilities: ["openAudit"],
  wrapMethods: ["guardMethods", "traceMethods"],
};

/** The imports of the functions that a server uses. */
export function runtimePartImports(model: ServerModel): ImportDeclarationStructure[] {
  return usedParts(model).map(([, module, parts]) => importOf(`./runtime/${module}.ts`, parts));
}

/** The members of the definition that hold these functions, in lists or alone. */
export function runtimePartEntries(model: ServerModel): Entry[] {
  const names = usedParts(model).flatMap(([, , parts]) =>
    parts.map((part) => part.replace(/^.* as /, "")),
  );
  const lists = Object.entries(LISTS).flatMap(([list, parts]): Entry[] => {
    const used = parts.filter((part) => names.includes(part));
    return used.length === 0 ? [] : [[list, listOf(used)]];
  });
  const inLists = Object.values(LISTS).flat();
  const alone = names.filter((name) => !inLists.includes(name));
  return [...lists, ...alone.map((name): Entry => [name, name])];
}

function usedParts(model: ServerModel): PartsModule[] {
  return PARTS.filter(
    ([feature, , , unless]) =>
      FEATURES[feature](model) && (unless === undefined || !FEATURES[unless](model)),
  );
}
