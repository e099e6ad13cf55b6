import type { ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import { FEATURES, type Feature } from "../features.js";
import { importOf } from "./structures.js";

/** A module of the runtime with parts that only projects with a feature have: their definition names them. */
type PartsModule = readonly [feature: Feature, module: string, parts: readonly string[]];

const PARTS: readonly PartsModule[] = [
  ["asking", "asking/asking", ["createAsking"]],
  ["asking", "asking/request-state-keys", ["requestStateKeys"]],
  ["access", "authentication/access", ["createAccess"]],
  ["callers", "authentication/auth-info", ["toAuthInfo", "toAuthentication"]],
  ["verification", "../verification", ["createVerification"]],
  ["scopes", "authentication/item-scopes", ["createScopes", "guardMethods"]],
  ["changes", "changes/live-state", ["createLiveState"]],
  ["completion", "completion/completion", ["createCompletion"]],
  ["legacyExceptions", "fast-path/legacy-exceptions", ["legacyExceptions"]],
  ["pagedLists", "engine/paged-item-list", ["createPagedList"]],
  ["http", "http/exchanges", ["httpExchanges"]],
  ["metrics", "observe/metrics", ["createMetrics"]],
  ["metrics", "observe/metrics-page", ["metricsPage"]],
  ["network", "observe/refusal-counts", ["countRefusals"]],
  ["prompts", "prompts/prompts", ["createPrompts"]],
  ["resources", "resources/resources", ["createResources"]],
  ["search", "search/search", ["createSearchedTools"]],
  ["headerParameters", "server/header-parameters", ["compareHeaders", "repeatsArguments"]],
  ["completable", "server/replaced-code", ["replaceOtherCode"]],
  ["environment", "start/env", ["checkEnvironment"]],
  ["backends", "backends/backends", ["createBackends"]],
  ["upstreams", "upstreams/upstreams", ["createUpstreams"]],
  ["databases", "databases/databases", ["createDatabases"]],
  ["programs", "programs/programs", ["createPrograms"]],
  ["postgres", "databases/postgres", ["openPostgres"]],
  ["sqlite", "databases/sqlite", ["openSqlite"]],
  ["defaults", "tools/defaults", ["withDefaults"]],
  ["exactNumbers", "tools/exact-numbers", ["exactNumbers"]],
  ["fixedTools", "tools/fixed", ["renderFixed"]],
];

/** The imports of the parts that a server uses, by the names of the modules. */
export function runtimePartImports(model: ServerModel): ImportDeclarationStructure[] {
  return usedParts(model).map(([, module, parts]) => importOf(`./runtime/${module}.ts`, parts));
}

/** The members of the definition that name them. */
export function runtimePartEntries(model: ServerModel): (readonly [string, string])[] {
  return usedParts(model).flatMap(([, , parts]) => parts.map((part) => [part, part] as const));
}

function usedParts(model: ServerModel): PartsModule[] {
  return PARTS.filter(([feature]) => FEATURES[feature](model));
}
