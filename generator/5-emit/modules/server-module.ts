import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { callOf, listInLines, listOf, literalOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { authEntries, callerSources } from "./auth-values.js";
import { itemLists } from "./item-lists.js";
import type { Entry } from "./item-settings.js";
import { constant, importDefault, importOf, importTypes } from "./structures.js";
import { transportValue, type ServerValue } from "./transport-values.js";
import { usedParts } from "./used-parts.js";

/** `src/generated/server.ts`: what the server offers, over which transports, guarded by what. */
export function serverModule(model: ServerModel): FileStatements {
  const lists = itemLists(model);
  const values = {
    transports: model.transports.map(transportValue),
    auth: callerSources(model),
    use: usedParts(model),
  };
  const entries = [
    ...settingEntries(model),
    ...Object.entries(values).flatMap(([name, parts]): Entry[] =>
      parts.length === 0 ? [] : [[name, listOf(parts.map(({ code }) => code))]],
    ),
    ...authEntries(model),
    ...lists.map(({ name, items }): Entry => [
      name,
      listInLines(items.map(({ localName }) => localName)),
    ]),
  ];
  return [
    importOf("@mcpwright/runtime", [
      "defineServer",
      ...(model.version === undefined ? ["packageVersion"] : []),
      "type Server",
    ]),
    ...importsOf(Object.values(values).flat()),
    ...lists.flatMap(({ items }) =>
      items.map(({ localName, module }) => importDefault(`./${module}.ts`, localName)),
    ),
    importTypes("./index.ts", ["Env", "Services"]),
    constant({
      name: "server",
      type: "Server<Env, Services>",
      value: callOf("defineServer<Env, Services>", [objectOf(entries)]),
      docs: "What the manifest describes.",
    }),
  ];
}

/** One import declaration for each module, sorted by module. */
function importsOf(values: readonly ServerValue[]): FileStatement[] {
  const imports = values.flatMap((value) => value.imports);
  const modules = [...new Set(imports.map(([module]) => module))].sort();
  return modules.map((module) => {
    const names = imports.filter(([other]) => other === module).flatMap(([, ...own]) => own);
    return importOf(module, [...new Set(names)].sort());
  });
}

function settingEntries(model: ServerModel): Entry[] {
  const { instructions, protocol, env, limits, cache, pageSize, extensions } = model;
  return [
    ["module", "import.meta.url"],
    ["context", '() => import("../context.ts")'],
    ["info", serverInfo(model)],
    ...(instructions === undefined ? [] : [["instructions", writeString(instructions)] as const]),
    ...(protocol.legacy === "serve"
      ? []
      : [["protocol", literalOf({ legacy: protocol.legacy })] as const]),
    ...(env.length === 0 ? [] : [["env", listOf(env.map(environmentVariable))] as const]),
    ...(limits === undefined ? [] : [["limits", literalOf(limits)] as const]),
    ...(cache === undefined ? [] : [["cache", literalOf(cache as JsonObject)] as const]),
    ...(pageSize === undefined ? [] : [["pageSize", literalOf(pageSize)] as const]),
    ...(extensions === undefined ? [] : [["extensions", literalOf(extensions)] as const]),
  ];
}

/** The server's `Implementation` object of the protocol, with keys in the protocol's order. */
function serverInfo(model: ServerModel): Code {
  const { name, title, version, description, websiteUrl, icons } = model;
  return objectOf([
    ["name", writeString(name)],
    ...(title === undefined ? [] : [["title", writeString(title)] as const]),
    ["version", version === undefined ? "packageVersion(import.meta.url)" : writeString(version)],
    ...(description === undefined ? [] : [["description", writeString(description)] as const]),
    ...(websiteUrl === undefined ? [] : [["websiteUrl", writeString(websiteUrl)] as const]),
    ...(icons === undefined ? [] : [["icons", literalOf([...icons])] as const]),
  ]);
}

function environmentVariable(variable: EnvVariableModel): Code {
  const { description: _description, ask: _ask, path: _path, ...definition } = variable;
  return literalOf(definition);
}
