import {
  outsideOfWorker,
  workerWithoutHostNames,
  workerWithoutVersion,
} from "../../model/catalogue/deploy.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import {
  entriesIn,
  has,
  ITEM_LISTS,
  itemsOf,
  listIn,
  mappingIn,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";

/** What a worker has not, in the words of a reason. */
const reasons = {
  files: "it has no files",
  programs: "it starts no programs",
  connections: "its connections do not outlast the request that opened them",
  listeners: "it listens on no address, and the platform serves HTTP alone",
  process: "no process stays that could keep them",
} as const;

type Reason = keyof typeof reasons;

/** Reports what the manifest has and a worker cannot have, where it stands. */
export function checkWorker(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  if (deploy.value["workers"] !== true) return [];
  const http = itemsOf(manifest, "transports").find(
    ({ value }) => textIn(value, "type") === "http",
  );
  const place = manifest.locate([...deploy.path, "workers"], "key");
  const isNamed = http === undefined || listIn(http.value, "allowedHosts").length > 0;
  const isOfPackage = textIn(manifest.value, "version") === "package.json";
  return [
    ...(isNamed ? [] : [workerWithoutHostNames(place, {})]),
    ...(isOfPackage ? [workerWithoutVersion(manifest.locate(["version"], "value"), {})] : []),
    ...foundIn(manifest).map(({ path, what, reason }) =>
      outsideOfWorker(manifest.locate(path, "key"), { what, reason: reasons[reason] }),
    ),
  ];
}

interface Found {
  readonly path: ManifestPath;
  readonly what: string;
  readonly reason: Reason;
}

function foundIn(manifest: LoadedManifest): Found[] {
  const root = rootOf(manifest);
  return [
    ...itemsOf(manifest, "transports").flatMap(transportProblems),
    ...ITEM_LISTS.flatMap((list) => itemsOf(manifest, list).flatMap(itemProblems)),
    ...entriesIn(root, "databases").map(([name, , path]) => ({
      ...{ path, what: `the database ${name}` },
      reason: "connections" as const,
    })),
    ...entriesIn(root, "upstreams").flatMap(([name, value, path]) =>
      isJsonObject(value) ? upstreamProblems(name, { path, value }) : [],
    ),
    ...fileOf(mappingIn(root, "audit"), "to", "the file of the audit trail"),
    ...fileOf(apiKeysIn(root), "file", "a file of keys"),
    ...keyOf(root, "skills", "a folder of skills", "files"),
    ...keyOf(root, "scale", "what replicas share through Redis", "connections"),
  ];
}

function transportProblems({ path, value }: Mapping): Found[] {
  const type = textIn(value, "type") ?? "stdio";
  if (["sse", "websocket", "custom"].includes(type)) {
    return [{ path: [...path, "type"], what: `the transport ${type}`, reason: "listeners" }];
  }
  const hasSessions = type === "http" && textIn(value, "sessions") === "memory";
  return hasSessions ? [{ path: [...path, "sessions"], what: "sessions", reason: "process" }] : [];
}

function itemProblems(item: Mapping): Found[] {
  return [
    ...keyOf(item, "exec", "a body of `exec`", "programs"),
    ...keyOf(item, "directory", "a body of `directory`", "files"),
    ...keyOf(item, "confirm", "answers to `confirm`", "process"),
    ...keyOf(item, "task", "tasks", "process"),
    ...keyOf(item, "file", "a resource with a `file`", "files"),
  ];
}

function upstreamProblems(name: string, upstream: Mapping): Found[] {
  return [
    ...keyOf(upstream, "mcp", `the MCP server ${name}`, "connections"),
    ...keyOf(upstream, "proxy", `the proxy of ${name}`, "connections"),
    ...["ca", "cert", "key"].flatMap((key) =>
      keyOf(upstream, key, `a certificate file of ${name}`, "files"),
    ),
  ];
}

function apiKeysIn(root: Mapping): Mapping | undefined {
  const auth = mappingIn(root, "auth");
  return auth && mappingIn(auth, "apiKeys");
}

function fileOf(holder: Mapping | undefined, key: string, what: string): Found[] {
  return holder === undefined ? [] : keyOf(holder, key, what, "files");
}

function keyOf({ path, value }: Mapping, key: string, what: string, reason: Reason): Found[] {
  return has(value, key) ? [{ path: [...path, key], what, reason }] : [];
}
