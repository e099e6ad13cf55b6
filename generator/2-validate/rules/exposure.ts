import { resourceTools } from "../../../templates/runtime/resource-tools/definitions.js";
import { accountTools } from "../../../templates/runtime/linked-accounts/definitions.js";
import { gatewayTools } from "../../../templates/runtime/search/gateway-tools.js";
import { accountToolNameTaken } from "../../model/catalogue/linked-accounts.js";
import {
  exposedToolUnknown,
  gatewayNameTaken,
  noResourcesToRead,
  nothingToSearch,
  resourceToolNameTaken,
} from "../../model/catalogue/rules-exposure.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { ACCOUNT_GRANT } from "../../model/linked-accounts.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { nearestName } from "../../text/nearest-name.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, has, itemsOf, listIn, mappingIn, rootOf, textIn } from "../manifest-view.js";

/** The names of the tools that the server adds to find and call the others. */
const GATEWAY_NAMES: ReadonlySet<unknown> = new Set(gatewayTools.map(({ name }) => name));
const RESOURCE_TOOL_NAMES: ReadonlySet<unknown> = new Set(resourceTools.map(({ name }) => name));
const ACCOUNT_TOOL_NAMES: ReadonlySet<unknown> = new Set(accountTools([]).map(({ name }) => name));

/** The number of tools that the server lists to clients. */
export function listedTools(manifest: LoadedManifest): number {
  const tools = itemsOf(manifest, "tools");
  const added = manifest.value["resourceTools"] === true ? RESOURCE_TOOL_NAMES.size : 0;
  if (!has(manifest.value, "exposure")) return tools.length + added;
  const listed = new Set(listedNames(manifest));
  return (
    tools.filter(({ value }) => listed.has(ownValue(value, "name"))).length +
    GATEWAY_NAMES.size +
    added
  );
}

/** Checks that listed tools exist, that no tool has the name of an added tool, and that some tools are not listed. */
export function checkExposure(manifest: LoadedManifest): Diagnostic[] {
  if (!has(manifest.value, "exposure")) return [];
  const unknown = unknownTools(manifest);
  return [
    ...unknown,
    ...takenNames(manifest, GATEWAY_NAMES, gatewayNameTaken),
    ...(unknown.length > 0 ? [] : emptySearch(manifest)),
  ];
}

function unknownTools(manifest: LoadedManifest): Diagnostic[] {
  const names = new Set(itemsOf(manifest, "tools").map(({ value }) => textIn(value, "name") ?? ""));
  return listedNames(manifest).flatMap((name, index) => {
    if (typeof name !== "string" || names.has(name)) return [];
    const nearest = nearestName(name, names);
    const place = manifest.locate(["exposure", "list", index], "value");
    return [
      exposedToolUnknown(place, { name: quoted(name), ...(nearest !== undefined && { nearest }) }),
    ];
  });
}

/** Checks that there are resources to list and read by tools, and that no other tool has the names of these. */
export function checkResourceTools(manifest: LoadedManifest): Diagnostic[] {
  if (manifest.value["resourceTools"] !== true) return [];
  const taken = takenNames(manifest, RESOURCE_TOOL_NAMES, resourceToolNameTaken);
  const lists = ["resources", "resourceTemplates"].map((list) => itemsOf(manifest, list));
  if (lists.some(({ length }) => length > 0)) return taken;
  return [...taken, noResourcesToRead(manifest.locate(["resourceTools"], "key"), {})];
}

/** Checks that no tool has the name of one that is added for accounts of callers. */
export function checkAccountTools(manifest: LoadedManifest): Diagnostic[] {
  const hasAccounts = entriesIn(rootOf(manifest), "upstreams").some(([, value, path]) => {
    const auth = isJsonObject(value) ? mappingIn({ path, value }, "auth") : undefined;
    return auth !== undefined && has(auth.value, ACCOUNT_GRANT);
  });
  return hasAccounts ? takenNames(manifest, ACCOUNT_TOOL_NAMES, accountToolNameTaken) : [];
}

function takenNames(
  manifest: LoadedManifest,
  reserved: ReadonlySet<unknown>,
  report: typeof gatewayNameTaken,
): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap(({ path, value }) => {
    const names = [
      [[...path, "name"], ownValue(value, "name")] as const,
      ...listIn(value, "aliases").map(
        (alias, index) => [[...path, "aliases", index], alias] as const,
      ),
    ];
    return names
      .filter(([, name]) => reserved.has(name))
      .map(([at, name]) => report(manifest.locate(at, "value"), { name: quoted(String(name)) }));
  });
}

function emptySearch(manifest: LoadedManifest): Diagnostic[] {
  const listed = new Set(listedNames(manifest));
  const hasUnlisted = itemsOf(manifest, "tools").some(
    ({ value }) => !listed.has(ownValue(value, "name")),
  );
  return hasUnlisted ? [] : [nothingToSearch(manifest.locate(["exposure"], "key"), {})];
}

function listedNames(manifest: LoadedManifest): readonly (JsonValue | undefined)[] {
  const exposure = mappingIn(rootOf(manifest), "exposure");
  return exposure === undefined ? [] : listIn(exposure.value, "list");
}
