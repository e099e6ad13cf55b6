import { unknownUpstream } from "../../model/catalogue/bodies.js";
import { otherKindOfUpstream } from "../../model/catalogue/mcp-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, has, isNoMapping, rootOf, textIn } from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";

/** The kind of upstream that a body of each kind cannot ask. */
const OTHER_KIND = { http: "an MCP server", mcp: "a service over HTTP" } as const;

/** Checks that the upstream that a body names is declared, and of the right kind. */
export function upstreamProblems(
  manifest: LoadedManifest,
  { body }: BodyItem,
  key: "http" | "mcp",
): Diagnostic[] {
  const found = textIn(body.value, "upstream");
  if (found === undefined || isNoMapping(manifest.value, "upstreams")) return [];
  const declared = entriesIn(rootOf(manifest), "upstreams");
  const upstream = declared.find(([name]) => name === found)?.[1];
  const place = manifest.locate([...body.path, "upstream"], "value");
  if (upstream === undefined) {
    const names = declared.map(([name]) => name);
    const nearest = nearestName(found, names);
    return [
      unknownUpstream(place, { found: quoted(found), ...(nearest !== undefined && { nearest }) }),
    ];
  }
  const isServer = isJsonObject(upstream) && has(upstream, "mcp");
  if (isServer === (key === "mcp")) return [];
  return [otherKindOfUpstream(place, { found: quoted(found), key, what: OTHER_KIND[key] })];
}
