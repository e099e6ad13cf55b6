import {
  bundleWithoutAuthor,
  bundleWithoutStdio,
  clientsWithoutWay,
  nothingInRegistry,
  refusedByRegistry,
  registryTextCut,
  registryUrlWithoutHttp,
  registryWithoutVersion,
  releaseWithoutRepository,
} from "../../model/catalogue/package.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import {
  isRegistryFolder,
  isRegistryRepository,
  isRegistryUrl,
  looksLikeRange,
  REGISTRY_TEXT_LENGTH,
} from "../../model/registry.js";
import { cutAtWord } from "../../text/cut-at-word.js";
import { publicRepository } from "../../text/public-urls.js";
import { quoted } from "../../text/value-words.js";
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
    ...refusedTexts(manifest),
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

/** Reports what the validators of the registry refuse of texts that stand elsewhere in the manifest. */
function refusedTexts(manifest: LoadedManifest): Diagnostic[] {
  const { value } = manifest;
  const website = textIn(value, "websiteUrl") ?? "";
  const version = textIn(value, "version") ?? "";
  const { source, url = "", subfolder = "" } = publicRepository(value["repository"]) ?? {};
  const report = (path: ManifestPath, found: string, expected: string): Diagnostic =>
    refusedByRegistry(manifest.locate(path, "value"), { found: quoted(found), expected });
  return [
    ...(URL.canParse(website) && new URL(website).protocol !== "https:"
      ? [report(["websiteUrl"], website, "a web site with https")]
      : []),
    ...(looksLikeRange(version)
      ? [
          report(
            ["version"],
            version,
            'a version without the letter "x", which it reads as a range',
          ),
        ]
      : []),
    ...(source !== undefined && !isRegistryRepository(source, url)
      ? [report(["repository"], url, "the URL of the repository, without a path inside it")]
      : []),
    ...(source !== undefined && subfolder !== "" && !isRegistryFolder(subfolder)
      ? [
          report(
            ["repository", "directory"],
            subfolder,
            "a directory of letters, digits, dots, hyphens and underscores",
          ),
        ]
      : []),
  ];
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
