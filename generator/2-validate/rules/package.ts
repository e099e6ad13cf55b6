import {
  bundleWithoutAuthor,
  bundleWithoutStdio,
  clientsWithoutWay,
  nothingInRegistry,
  registryTextCut,
  registryUrlWithoutHttp,
  registryWithoutVersion,
  releaseWithoutRepository,
} from "../../model/catalogue/package.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { isRegistryUrl, REGISTRY_TEXT_LENGTH } from "../../model/registry.js";
import { cutAtWord } from "../../text/cut-at-word.js";
import { has, itemsOf, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";

/** Checks that the manifest has what the files of `package` need. */
export function checkPackage(manifest: LoadedManifest): Diagnostic[] {
  const packaging = mappingIn(rootOf(manifest), "package");
  if (packaging === undefined) return [];
  const registry = mappingIn(packaging, "registry");
  return [
    ...(registry === undefined ? [] : checkRegistry(manifest, registry)),
    ...(packaging.value["mcpb"] === true ? checkBundle(manifest, [...packaging.path, "mcpb"]) : []),
    ...clientProblems(manifest, packaging),
    ...releaseProblems(manifest, packaging),
  ];
}

function checkRegistry(manifest: LoadedManifest, registry: Mapping): Diagnostic[] {
  return [
    ...versionProblems(manifest),
    ...connectionProblems(manifest, registry),
    ...["title", "description"].flatMap((key) => cutTexts(manifest, key)),
  ];
}

function versionProblems(manifest: LoadedManifest): Diagnostic[] {
  if (textIn(manifest.value, "version") !== "package.json") return [];
  return [registryWithoutVersion(manifest.locate(["version"], "value"), {})];
}

/** Checks that the registry's entry says how a client starts or reaches the server. */
function connectionProblems(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const hasHttp = servesOver(manifest, "http");
  if (has(value, "url") && !hasHttp) {
    return [registryUrlWithoutHttp(manifest.locate([...path, "url"], "key"), {})];
  }
  const startable = value["npm"] !== false && (hasHttp || servesOver(manifest, "stdio"));
  const reachable = hasHttp && (has(value, "url") || hasPublicUrl(manifest));
  return startable || reachable ? [] : [nothingInRegistry(manifest.locate(path, "key"), {})];
}

function hasPublicUrl(manifest: LoadedManifest): boolean {
  const auth = mappingIn(rootOf(manifest), "auth");
  return auth !== undefined && isRegistryUrl(textIn(auth.value, "resource") ?? "");
}

function checkBundle(manifest: LoadedManifest, path: ManifestPath): Diagnostic[] {
  const place = manifest.locate(path, "key");
  return [
    ...(servesOver(manifest, "stdio") ? [] : [bundleWithoutStdio(place, {})]),
    ...(has(manifest.value, "author") ? [] : [bundleWithoutAuthor(place, {})]),
  ];
}

function clientProblems(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const isReached = servesOver(manifest, "stdio") || servesOver(manifest, "http");
  if (value["clients"] !== true || isReached) return [];
  return [clientsWithoutWay(manifest.locate([...path, "clients"], "key"), {})];
}

function releaseProblems(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  if (value["github"] !== true || has(manifest.value, "repository")) return [];
  return [releaseWithoutRepository(manifest.locate([...path, "github"], "key"), {})];
}

/** Without `transports`, a server has stdio. */
function servesOver(manifest: LoadedManifest, type: string): boolean {
  if (!has(manifest.value, "transports")) return type === "stdio";
  return itemsOf(manifest, "transports").some(({ value }) => textIn(value, "type") === type);
}

function cutTexts(manifest: LoadedManifest, key: string): Diagnostic[] {
  const text = textIn(manifest.value, key);
  if (text === undefined || cutAtWord(text, REGISTRY_TEXT_LENGTH) === cutAtWord(text, Infinity)) {
    return [];
  }
  const problem = { what: key, limit: REGISTRY_TEXT_LENGTH };
  return [registryTextCut(manifest.locate([key], "value"), problem)];
}
