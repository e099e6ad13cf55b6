import { uriMatcher } from "../../../templates/runtime/resources/uri-template.js";
import { loadManifest } from "../../1-load/load.js";
import { canonicalManifest } from "../../3-normalize/canonical.js";
import { compareManifests } from "../../4-compare/compare.js";
import type { Place } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { SemanticChange } from "../../model/plan.js";
import type { ServerModel } from "../../model/server-model.js";
import { importServer } from "./import-server.js";
import { listedModel } from "./listed-model.js";
import type { ListedServer } from "./listed-server.js";

export interface ServerDrift {
  /** The differences that callers notice. Absent if the two cannot be compared. */
  readonly changes?: readonly SemanticChange[];
  /** The parts of the server's lists that were not compared. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares a manifest with the lists of a running server. Both are imported in the same way, so that only what lists
 * contain is compared. Pure.
 *
 * @param isNewer true if the server is the newer of the two
 */
export function compareWithServer(
  model: ServerModel,
  listed: ListedServer,
  isNewer: boolean,
  place: Place,
): ServerDrift {
  const options = { transport: "stdio", findsInstances: false, place } as const;
  const actual = importServer(withoutInstances(model, listed), options);
  const expected = importServer(expectedOf(model, listed), options);
  if (actual.manifest === undefined || expected.manifest === undefined) {
    return { diagnostics: [...expected.diagnostics, ...actual.diagnostics] };
  }
  const [manifest, server] = [expected.manifest, actual.manifest].map(canonical);
  const [before = {}, after = {}] = isNewer ? [manifest, server] : [server, manifest];
  return { changes: compareManifests(before, after), diagnostics: actual.diagnostics };
}

function canonical(text: string): JsonObject {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  if (manifest === undefined) throw new Error("an imported manifest cannot be read again");
  return canonicalManifest(manifest.value);
}

/** The lists that the manifest's server should have. If the version is in `package.json`, the server's version is used. */
function expectedOf(model: ServerModel, { about }: ListedServer): ListedServer {
  const listed = listedModel(model);
  const { version = null } = about;
  return model.version === undefined ? { ...listed, about: { ...listed.about, version } } : listed;
}

/** Leaves out resources that the server lists as instances of a template, since no manifest contains them. */
function withoutInstances(model: ServerModel, listed: ListedServer): ListedServer {
  const listingTemplates = model.resourceTemplates.filter(({ list }) => list !== undefined);
  const matchers = listingTemplates.map(({ parts, raw }) => uriMatcher(parts, raw));
  const declaredUris = new Set(model.resources.map(({ wire }) => wire["uri"]));
  const resources = listed.lists.resources.filter((resource) => {
    const uri = isJsonObject(resource) ? resource["uri"] : undefined;
    if (typeof uri !== "string" || declaredUris.has(uri)) return true;
    return !matchers.some((match) => match(uri) !== undefined);
  });
  // Lists do not contain capabilities.
  return { ...listed, capabilities: {}, lists: { ...listed.lists, resources } };
}
