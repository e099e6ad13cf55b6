import { cardPath } from "../../../templates/runtime/http/server-card-path.js";
import type { ServerModel } from "../../model/server-model.js";
import {
  hasTasks,
  exposesPages,
  hasDatabase,
  hasStdio,
  httpTransport,
  installsClients,
  servesByWorkers,
  sharesState,
} from "../model-facts.js";
import { asksAnything, needsConsent } from "../modules/asking.js";
import { packageKinds } from "../package/package-files.js";
import { claudeCodeCommand, clientLinks } from "./client-links.js";

/* What SERVER.md says of installing and running the whole server. */

/** Where everyone reads the server card, and the name on it; null if there is none. */
export function cardView(model: ServerModel): object | null {
  const { path = "", card } = httpTransport(model) ?? {};
  return card === undefined
    ? null
    : { path: cardPath(path), name: card.name, url: card.url ?? null };
}

/** What the processes share that can serve together; null if the server must be one process. */
export function workersView(model: ServerModel): object | null {
  if (!servesByWorkers(model)) return null;
  const { transports, audit } = model;
  return {
    isAlone: transports.length === 1,
    sealed: sealedInWords(model),
    audit: audit !== undefined,
    metrics: httpTransport(model)?.metrics ?? null,
    hasSessions: httpTransport(model)?.sessions === "memory",
  };
}

/** What clients keep for the server, so that any of its processes must be able to read it; null if there is nothing. */
function sealedInWords(model: ServerModel): string | null {
  const sealed = [
    ...(asksAnything(model) || needsConsent(model) ? ["the answer to a question"] : []),
    ...(exposesPages(model) ? ["the cursor of a list"] : []),
  ];
  return sealed.length === 0 ? null : sealed.join(" and ");
}

/** The files that the server writes, in words; null if there are none. */
export function writtenFiles(model: ServerModel): string | null {
  const files = [
    ...(model.audit?.to === undefined ? [] : ["the audit log"]),
    ...(hasDatabase(model, "sqlite") ? ["SQLite databases"] : []),
  ];
  return files.length === 0 ? null : files.join(" and ");
}

/** How clients install the server; null if the manifest asks for no way of it. */
export function installView(model: ServerModel): object | null {
  const isAdded = installsClients(model);
  const others = packageKinds(model).flatMap(({ installation }) => installation?.(model) ?? []);
  if (!isAdded && others.length === 0) return null;
  return {
    links: isAdded ? clientLinks(model) : [],
    command: (isAdded ? claudeCodeCommand(model) : undefined) ?? null,
    needsPackage: isAdded && hasStdio(model),
    isAdded,
    others,
  };
}

/** The scopes by which callers get less; null if there are none. */
export function restrictView({ restrict }: ServerModel): object | null {
  const prefix = restrict?.groups?.scopePrefix ?? null;
  const scope = restrict?.readOnly?.scope ?? null;
  return prefix === null && scope === null ? null : { prefix, scope };
}

/** What the audit log records; null if there is none. */
export function auditView({ audit, deploy }: ServerModel): object | null {
  if (audit === undefined) return null;
  const { to, arguments: shown, durable } = audit;
  const inWords = {
    none: "without its arguments",
    names: "with the names of its arguments",
    values: "with its arguments, secret ones masked",
  };
  const isInContainer =
    to !== undefined && (deploy?.compose === true || deploy?.kubernetes === true);
  return { file: to?.env ?? null, shown: inWords[shown], durable, isInContainer };
}

/** What the processes of the server share through Redis; null if they share nothing. */
export function scaleView(model: ServerModel): object | null {
  const { scale } = model;
  if (!sharesState(model) || scale === undefined) return null;
  const share: readonly string[] = scale.share;
  const http = httpTransport(model);
  const ready = http?.ready;
  return {
    ready: ready ?? null,
    readyWithoutRedis: ready === undefined ? null : `${ready}?exclude=redis`,
    metrics: httpTransport(model)?.metrics !== undefined,
    isUntrusting: model.transports.some(
      (transport) => "trustProxy" in transport && transport.trustProxy === 0,
    ),
    variable: scale.redis.env,
    events: share.includes("events"),
    switches: share.includes("switches"),
    rates: share.includes("rates"),
    tasks: hasTasks(model),
    sessions: httpTransport(model)?.sessions === "memory",
  };
}
