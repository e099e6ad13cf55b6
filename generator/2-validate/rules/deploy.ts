import {
  deploymentWithoutHostNames,
  deploymentWithoutHttp,
  fileOutsideOfImage,
  openContainer,
} from "../../model/catalogue/deploy.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import {
  has,
  itemsOf,
  listIn,
  LOCAL_TRANSPORTS,
  mappingIn,
  namesScopes,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { checkPlatforms, PLATFORM_KEYS } from "./platforms.js";

/** Checks that the manifest has what the files of `deploy` need. */
export function checkDeployment(manifest: LoadedManifest): Diagnostic[] {
  const deploy = mappingIn(rootOf(manifest), "deploy");
  if (deploy === undefined) return [];
  return [
    ...openProblems(manifest, deploy),
    ...fileProblems(manifest, deploy),
    ...["compose", "kubernetes", ...PLATFORM_KEYS].flatMap((target) =>
      httpProblems(manifest, deploy, target),
    ),
    ...checkPlatforms(manifest, deploy),
  ];
}

/** True if every target is switched off. */
function isEmpty({ value }: Mapping): boolean {
  return ["docker", "compose", "kubernetes", ...PLATFORM_KEYS].every(
    (target) => (value[target] ?? target === "docker") === false,
  );
}

function hasContainer({ value }: Mapping): boolean {
  return (
    (value["docker"] ?? true) === true || value["compose"] === true || value["kubernetes"] === true
  );
}

/** Reports relative paths of files that the running server uses: the image does not contain them. */
function fileProblems(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  if (!hasContainer(deploy)) return [];
  const root = rootOf(manifest);
  const auth = mappingIn(root, "auth");
  const keys = auth && mappingIn(auth, "apiKeys");
  const databases = mappingIn(root, "databases");
  const names = databases === undefined ? [] : Object.keys(databases.value);
  const holders = [keys, ...names.map((name) => databases && mappingIn(databases, name))];
  return holders.flatMap((holder) => {
    const file = holder && textIn(holder.value, "file");
    if (holder === undefined || file === undefined || file.startsWith("/")) return [];
    return [fileOutsideOfImage(manifest.locate([...holder.path, "file"], "value"), { file })];
  });
}

/** Reports transports that anyone can call. As for a public `host`, the author must confirm this. */
function openProblems(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  if (isEmpty(deploy) || namesScopes(manifest) || has(manifest.value, "auth")) return [];
  const isOpen = itemsOf(manifest, "transports").some(
    ({ value: transport }) =>
      !LOCAL_TRANSPORTS.includes(textIn(transport, "type") ?? "stdio") &&
      transport["allowPublicBind"] !== true,
  );
  return isOpen ? [openContainer(manifest.locate(deploy.path, "key"), {})] : [];
}

function httpProblems(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  target: string,
): Diagnostic[] {
  if (value[target] !== true) return [];
  const place = manifest.locate([...path, target], "key");
  const http = itemsOf(manifest, "transports").find(
    ({ value: transport }) => textIn(transport, "type") === "http",
  );
  if (http === undefined) return [deploymentWithoutHttp(place, { what: target })];
  const hasHostNames = target !== "kubernetes" || listIn(http.value, "allowedHosts").length > 0;
  return hasHostNames ? [] : [deploymentWithoutHostNames(place, {})];
}
