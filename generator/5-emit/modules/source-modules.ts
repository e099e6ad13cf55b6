import { isSource } from "../../bodies/index.js";
import type { ResourceTemplateModel, ServerModel } from "../../model/server-model.js";
import { completionIdentifier, listIdentifier } from "../../text/names.js";
import { objectOf, shortMembersOf } from "../../text/code.js";
import { writeKey, writeString } from "../../text/literal.js";
import { sourceOf } from "../bodies/body-kinds.js";
import {
  completionModulePath,
  completionSources,
  listModulePath,
  type CompletedItem,
} from "../bodies/source-code.js";
import type { FileStatements } from "../typescript-printer.js";
import { completionType } from "./completions.js";
import { constant, importWithType } from "./structures.js";

/** A generated module. */
interface SourceModule {
  /** Relative to `src/generated/`, without extension. */
  readonly path: string;
  readonly statements: FileStatements;
}

/** The modules with the code of bodies that complete arguments or list instances. */
export function sourceModules({ prompts, resourceTemplates }: ServerModel): SourceModule[] {
  return [
    ...[...prompts, ...resourceTemplates].flatMap(completionModule),
    ...resourceTemplates.flatMap(listModule),
  ];
}

const INDEX = "../../index.ts";

function completionModule(item: CompletedItem): SourceModule[] {
  const sources = completionSources(item);
  if (sources.length === 0) return [];
  const name = completionIdentifier(item);
  const functions = sources.map(
    ([argument, source]) =>
      [argument, sourceOf(source).completion(argument, source, name)] as const,
  );
  const type = shortMembersOf(
    sources.map(([argument]) => ({
      name: `readonly ${writeKey(argument)}`,
      type: completionType(item, argument),
    })),
  );
  const imports = functions.flatMap(([, source]) => source.imports);
  const value = objectOf(functions.map(([argument, { code }]) => [argument, code]));
  const statements = [
    importWithType(INDEX, imports, "CompletionCode"),
    constant({ name, type, value, docs: "Values that clients suggest to their users." }),
  ];
  return [{ path: completionModulePath(item), statements }];
}

function listModule(item: ResourceTemplateModel): SourceModule[] {
  if (!isSource(item.list)) return [];
  const { imports, code } = sourceOf(item.list).list(item, item.list);
  const name = listIdentifier(item);
  const type = `ResourceTemplateList<${writeString(item.name)}>`;
  const statements = [
    importWithType(INDEX, imports, "ResourceTemplateList"),
    constant({ name, type, value: code, docs: "The existing instances." }),
  ];
  return [{ path: listModulePath(item), statements }];
}
