import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  desktopBundleEnded,
  registryEntryEnded,
  registryNameChanged,
  registryWayEnded,
} from "./catalogue/package.js";
import { mappingOf, textOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

const REGISTRY: ChangePlace = { at: ["package", "registry"], name: ["package", "registry"] };

const BUNDLE: ChangePlace = { at: [], name: ["package", "mcpb"] };

/** What changes for those who got the server by what `package` adds to a project. */
export function comparePackage(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "package"), mappingOf(after, "package")];
  const hadBundle = ownValue(former, "mcpb") === true;
  const hasBundle = ownValue(present, "mcpb") === true;
  return [
    ...compareRegistry(mappingOf(former, "registry"), mappingOf(present, "registry")),
    ...(hadBundle && !hasBundle ? [desktopBundleEnded(BUNDLE, {})] : []),
  ];
}

function compareRegistry(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined) return [];
  if (is === undefined) return [registryEntryEnded({ ...REGISTRY, at: [] }, { name: was })];
  const renamed = was === is ? [] : [registryNameChanged(REGISTRY, { before: was, after: is })];
  return [...renamed, ...compareWays(before, after)];
}

function compareWays(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "url"), textOf(after, "url")];
  const [hadNpm, hasNpm] = [before, after].map((entry) => ownValue(entry, "npm") !== false);
  return [
    ...(was === undefined || was === is ? [] : [registryWayEnded(REGISTRY, { what: was })]),
    ...(hadNpm && !hasNpm ? [registryWayEnded(REGISTRY, { what: "the npm package" })] : []),
  ];
}
