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
  mappingIn,
  namesScopes,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";

/** What the files of `deploy` need of the rest of the manifest. */
export function checkDeployment(manifest: LoadedManifest): Diagnostic[] {
  const deploy = mappingIn(rootOf(manifest), "deploy");
  if (deploy === undefined) return [];
  return [
    ...openProblems(manifest, deploy),
    ...fileProblems(manifest, deploy),
    ...["compose", "kubernetes"].flatMap((what) => httpProblems(manifest, deploy, what)),
  ];
}

/** Transports whose clients come over no network. */
const LOCAL = ["stdio", "custom"];

function isEmpty({ value }: Mapping): boolean {
  return ["docker", "compose", "kubernetes"].every(
    (what) => (value[what] ?? what === "docker") === false,
  );
}

/** Files that the server reads or writes while it runs, by paths of the project's folder. */
function fileProblems(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  if (isEmpty(deploy)) return [];
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

/** As with a `host` that others can reach, somebody must have thought of who may call. */
function openProblems(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  if (isEmpty(deploy) || namesScopes(manifest) || has(manifest.value, "auth")) return [];
  const isOpen = itemsOf(manifest, "transports").some(
    ({ value: transport }) =>
      !LOCAL.includes(textIn(transport, "type") ?? "stdio") &&
      transport["allowPublicBind"] !== true,
  );
  return isOpen ? [openContainer(manifest.locate(deploy.path, "key"), {})] : [];
}

function httpProblems(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  what: string,
): Diagnostic[] {
  if (value[what] !== true) return [];
  const place = manifest.locate([...path, what], "key");
  const http = itemsOf(manifest, "transports").find(
    ({ value: transport }) => textIn(transport, "type") === "http",
  );
  if (http === undefined) return [deploymentWithoutHttp(place, { what })];
  const isNamed = what !== "kubernetes" || listIn(http.value, "allowedHosts").length > 0;
  return isNamed ? [] : [deploymentWithoutHostNames(place, {})];
}
