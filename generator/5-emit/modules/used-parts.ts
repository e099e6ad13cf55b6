import { hasNetwork } from "../../model/authentication.js";
import { accountUpstreams } from "../../model/linked-accounts.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { callOf, literalOf, type Code } from "../../text/code.js";
import { remoteServersOf } from "../bodies/body-items.js";
import { callerRoles, exposesPages, filtersLists, hasTasks, privateKeys } from "../model-facts.js";
import { asksAnything, needsConsent } from "./asking.js";
import { controls } from "./controls.js";
import type { ServerValue } from "./transport-values.js";

/** The parts of a server beside its items, transports and callers, in the order in which they are joined. */
export function usedParts(model: ServerModel): ServerValue[] {
  const {
    upstreams = [],
    databases = [],
    audit,
    telemetry,
    exposure,
    scale,
    restrict,
    resourceTools,
    skills = [],
  } = model;
  const ofType = (type: string): JsonValue[] =>
    databases
      .filter((database) => database.type === type)
      .map(({ testSetup: _testSetup, type: _type, ...settings }) => {
        const roles = callerRoles(model, settings.name);
        return asJson({ ...settings, ...(roles !== undefined && { callerRoles: roles }) });
      });
  const filters = filtersLists(model);
  return [
    ...partIf(filters, "auth", "filteredLists"),
    ...partIf(controls(model).length > 0, "changes", "changes"),
    ...partIf(restrict !== undefined, "restrict", "restrict", () => asJson({ ...restrict })),
    ...partIf(asksAnything(model), "asking", "asking"),
    ...partIf(exposure !== undefined, "search", "toolSearch", () => asJson({ ...exposure })),
    ...partIf(resourceTools === true, "resource-tools", "resourceTools"),
    // After what adds tools and what asks, and before what asks first whether a call may run at all.
    ...partIf(accountUpstreams(model).length > 0, "linked-accounts", "linkedAccounts"),
    ...partIf(needsConsent(model), "consent", "consent"),
    ...partIf(hasTasks(model), "tasks", "tasks"),
    ...listed("skills", "skills", skills.map(asJson)),
    ...listed("upstreams", "upstreams", upstreams.map(withName)),
    ...partIf(privateKeys(model).length > 0, "private-keys", "privateKeys"),
    ...partIf(exposesPages(model), "page-cursors", "pageCursors"),
    ...listed("program-servers", "programServers", remoteServersOf(model, "program").map(withName)),
    ...listed("url-servers", "urlServers", remoteServersOf(model, "url").map(withName)),
    ...listed("postgres", "postgres", ofType("postgres")),
    ...listed("sqlite", "sqlite", ofType("sqlite")),
    ...partIf(audit !== undefined, "audit", "audit", () => asJson({ ...audit })),
    ...partIf(telemetry === true, "telemetry", "telemetry"),
    ...partIf(hasNetwork(model) && scale !== undefined, "redis", "redis", () =>
      asJson({ ...scale }),
    ),
  ];
}

function partIf(
  isUsed: boolean,
  entry: string,
  name: string,
  settings?: () => JsonValue,
): ServerValue[] {
  if (!isUsed) return [];
  const given: Code[] = settings === undefined ? [] : [literalOf(settings())];
  return [{ code: callOf(name, given), imports: [[`@mcpwright/runtime/${entry}`, name]] }];
}

/** A part that gets a list of settings; it is left out where the list is empty. */
function listed(entry: string, name: string, settings: JsonValue[]): ServerValue[] {
  return partIf(settings.length > 0, entry, name, () => settings);
}

function withName({
  name,
  settings,
}: {
  readonly name: string;
  readonly settings: object;
}): JsonValue {
  return asJson({ name, ...settings });
}

/** The models of parts hold JSON only. */
function asJson(settings: object): JsonObject {
  return settings as JsonObject;
}
