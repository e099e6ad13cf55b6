import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  PACKAGE_ENDED,
  registryEntryEnded,
  registryNameChanged,
  registryAddressRemoved,
} from "./catalogue/package.js";
import { mappingOf, textOf } from "./manifest-items.js";
import { missingPlace, placeAt } from "../model/change-places.js";

const REGISTRY = placeAt("package", "registry");

/** The changes for those who get the server from the MCP registry or as a desktop bundle. */
export function comparePackage(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "package"), mappingOf(after, "package")];
  const ended = Object.entries(PACKAGE_ENDED).filter(
    ([key]) => ownValue(former, key) === true && ownValue(present, key) !== true,
  );
  return [
    ...compareRegistry(mappingOf(former, "registry"), mappingOf(present, "registry")),
    ...ended.map(([key, rule]) => rule(missingPlace("package", key), {})),
  ];
}

function compareRegistry(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined) return [];
  if (is === undefined) {
    return [registryEntryEnded(missingPlace("package", "registry"), { name: was })];
  }
  const renamed = was === is ? [] : [registryNameChanged(REGISTRY, { before: was, after: is })];
  return [...renamed, ...compareAddresses(before, after)];
}

/** The addresses under which the registry's entry offered the server, and does not any more. */
function compareAddresses(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "url"), textOf(after, "url")];
  const [hadNpm, hasNpm] = [before, after].map((entry) => ownValue(entry, "npm") !== false);
  return [
    ...(was === undefined || was === is
      ? []
      : [registryAddressRemoved(REGISTRY, { address: was })]),
    ...(hadNpm && !hasNpm
      ? [registryAddressRemoved(REGISTRY, { address: "the npm package" })]
      : []),
  ];
}
