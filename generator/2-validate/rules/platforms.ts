import { BODIES, BODY_KEYS } from "../../bodies/index.js";
import {
  outsideOfPlatform,
  platformWithoutHostNames,
  platformWithoutVersion,
} from "../../model/catalogue/deploy.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ACCOUNT_GRANT } from "../../model/linked-accounts.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { AUTO_PAGE } from "../../text/app-uri.js";
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
import { clientCertificates } from "../bodies/token-client.js";
import { appFileOf } from "./apps.js";

type Reason = "files" | "programs" | "connections" | "listeners" | "certificates" | "process";

/** A platform that calls the server as a function: its words, and what it has not. */
interface Platform {
  readonly where: string;
  readonly lacks: Readonly<Partial<Record<Reason, string>>>;
}

const listeners = "it listens on no address, and the platform serves HTTP alone";
const certificates = "it listens on no address, and the platform has the certificate";

/** What is deployed to functions, and what they keep. Their connections outlast a request. */
const functions: Platform["lacks"] = {
  files: "only its own code is deployed",
  programs: "no programs are deployed with it",
  ...{ listeners, certificates },
  process: "the platform stops it between two requests",
};

/** The platforms, by their keys in `deploy`. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  workers: {
    where: "a worker",
    lacks: {
      files: "it has no files",
      programs: "it starts no programs",
      connections: "its connections do not outlast the request that opened them",
      ...{ listeners, certificates },
      process: "no process stays that could keep them",
    },
  },
  lambda: { where: "a Lambda function", lacks: functions },
  vercel: { where: "a Vercel function", lacks: functions },
};

/** The keys of `deploy` whose platforms call the server as a function. */
export const PLATFORM_KEYS: readonly string[] = Object.keys(PLATFORMS);

/** Reports what the manifest has and the platforms of `deploy` cannot have, where it stands. */
export function checkPlatforms(manifest: LoadedManifest, deploy: Mapping): Diagnostic[] {
  const chosen = Object.entries(PLATFORMS).filter(([key]) => deploy.value[key] === true);
  if (chosen.length === 0) return [];
  const http = itemsOf(manifest, "transports").find(
    ({ value }) => textIn(value, "type") === "http",
  );
  const isNamed = http === undefined || listIn(http.value, "allowedHosts").length > 0;
  const isOfPackage = textIn(manifest.value, "version") === "package.json";
  const found = foundIn(manifest);
  return chosen.flatMap(([key, { where, lacks }]) => {
    const place = manifest.locate([...deploy.path, key], "key");
    const version = { where, reason: lacks.files ?? "" };
    return [
      ...(isNamed ? [] : [platformWithoutHostNames(place, { where })]),
      ...(isOfPackage
        ? [platformWithoutVersion(manifest.locate(["version"], "value"), version)]
        : []),
      ...found.flatMap(({ path, what, lacking }) => {
        const reason = lacks[lacking];
        if (reason === undefined) return [];
        return [outsideOfPlatform(manifest.locate(path, "key"), { key, where, what, reason })];
      }),
    ];
  });
}

interface Found {
  readonly path: ManifestPath;
  readonly what: string;
  readonly lacking: Reason;
}

function foundIn(manifest: LoadedManifest): Found[] {
  const root = rootOf(manifest);
  return [
    ...itemsOf(manifest, "transports").flatMap(transportProblems),
    ...ITEM_LISTS.flatMap((list) =>
      itemsOf(manifest, list).flatMap((item) => itemProblems(item, has(root.value, "scale"))),
    ),
    ...entriesIn(root, "databases").flatMap(([name, value, path]) =>
      isJsonObject(value) ? [{ path, what: `the database ${name}`, lacking: lackedBy(value) }] : [],
    ),
    ...entriesIn(root, "upstreams").flatMap(([name, value, path]) =>
      isJsonObject(value) ? upstreamProblems(name, { path, value }, has(root.value, "scale")) : [],
    ),
    ...fileOf(mappingIn(root, "audit"), "to", "the file of the audit trail"),
    ...fileOf(apiKeysIn(root), "file", "a file of keys"),
    ...keyOf(root, "skills", "a folder of skills", "files"),
    ...keyOf(root, "scale", "what replicas share through Redis", "connections"),
  ];
}

function transportProblems(transport: Mapping): Found[] {
  const { path, value } = transport;
  const type = textIn(value, "type") ?? "stdio";
  if (["sse", "websocket", "custom"].includes(type)) {
    return [{ path: [...path, "type"], what: `the transport ${type}`, lacking: "listeners" }];
  }
  const hasSessions = type === "http" && textIn(value, "sessions") === "memory";
  return [
    ...(hasSessions
      ? [{ path: [...path, "sessions"], what: "sessions", lacking: "process" as const }]
      : []),
    ...keyOf(transport, "tls", "`tls`", "certificates"),
  ];
}

/** What a platform must have for a database: files for SQLite, lasting connections for others. */
function lackedBy(database: JsonObject): Reason {
  return textIn(database, "type") === "sqlite" ? "files" : "connections";
}

/** @param isShared Whether replicas share through Redis what was answered. */
function itemProblems(item: Mapping, isShared: boolean): Found[] {
  return [
    ...BODY_KEYS.flatMap((key) => {
      const { needs } = BODIES[key];
      return needs === undefined ? [] : keyOf(item, key, `a body of \`${key}\``, needs);
    }),
    ...keyOf(item, "confirm", "answers to `confirm`", isShared ? "connections" : "process"),
    ...keyOf(item, "task", "tasks", "process"),
    ...keyOf(item, "file", "a resource with a `file`", "files"),
    ...appProblems(item),
  ];
}

/** The page of an app is read from its file, unless the server makes it. */
function appProblems(item: Mapping): Found[] {
  const app = appFileOf(item);
  if (app === undefined || app.file === AUTO_PAGE) return [];
  return [{ path: app.path, what: "a page from a file", lacking: "files" }];
}

/** @param isShared Whether replicas share through Redis the accounts of callers. */
function upstreamProblems(name: string, upstream: Mapping, isShared: boolean): Found[] {
  const auth = mappingIn(upstream, "auth");
  const remote = mappingIn(upstream, "mcp");
  const startsProgram = remote !== undefined && !has(remote.value, "url");
  return [
    ...keyOf(upstream, "mcp", `the MCP server ${name}`, startsProgram ? "programs" : "connections"),
    ...(auth === undefined
      ? []
      : keyOf(
          auth,
          ACCOUNT_GRANT,
          `accounts of the callers of ${name}`,
          isShared ? "connections" : "process",
        )),
    ...keyOf(upstream, "proxy", `the proxy of ${name}`, "connections"),
    ...["ca", "cert", "key"].flatMap((key) =>
      keyOf(upstream, key, `a certificate file of ${name}`, "files"),
    ),
    ...clientCertificates(upstream).map(({ path }): Found => ({
      ...{ path, what: `a client certificate for the tokens of ${name}`, lacking: "files" },
    })),
  ];
}

function apiKeysIn(root: Mapping): Mapping | undefined {
  const auth = mappingIn(root, "auth");
  return auth && mappingIn(auth, "apiKeys");
}

function fileOf(holder: Mapping | undefined, key: string, what: string): Found[] {
  return holder === undefined ? [] : keyOf(holder, key, what, "files");
}

function keyOf({ path, value }: Mapping, key: string, what: string, lacking: Reason): Found[] {
  return has(value, key) ? [{ path: [...path, key], what, lacking }] : [];
}
