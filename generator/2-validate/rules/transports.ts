import { isLoopback } from "../../../templates/runtime/http/guards.js";
import { cardPath } from "../../../templates/runtime/http/server-card-path.js";
import { duplicateTransport, insecureBind, samePath } from "../../model/catalogue/rules-server.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { networkTransport, usualSetting } from "../../model/transports.js";
import { has, itemsOf, namesScopes, rootOf, textIn, type Mapping } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";

/** Checks that each type of transport is declared at most once. */
export function checkTransportTypes(manifest: LoadedManifest): Diagnostic[] {
  const first = new Map<string, ManifestPath>();
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const type = textIn(value, "type");
    if (type === undefined) return [];
    const earlier = first.get(type);
    if (earlier === undefined) {
      first.set(type, [...path, "type"]);
      return [];
    }
    const firstPlace = manifest.locate(earlier, "value");
    return [
      duplicateTransport(manifest.locate([...path, "type"], "value"), { type, first: firstPlace }, [
        { ...firstPlace, message: `${type} is here` },
      ]),
    ];
  });
}

/** What the structure check takes for a name or an address. It reports all else. */
const ADDRESS = /^(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[?[0-9A-Fa-f:.]+\]?)$/;

/** Reports a host that others can reach and that is not confirmed, unless callers must authenticate. */
export function checkPublicBind(manifest: LoadedManifest): Diagnostic[] {
  if (namesScopes(manifest) || has(manifest.value, "auth")) return [];
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const host = textIn(value, "host");
    if (host === undefined || isLoopback(host) || value["allowPublicBind"] === true) return [];
    if (!ADDRESS.test(host)) return [];
    // nginx has both in one text: `listen 127.0.0.1:8000`.
    const [, name = "", port] = /^([^:]+):(\d+)$/.exec(host) ?? [];
    const place = manifest.locate([...path, "host"], "value");
    const advice = port === undefined ? {} : { advice: `write host: ${name}, port: ${port}` };
    return [insecureBind(place, { host: quoted(host), ...advice })];
  });
}

/** Reports equal paths on one listener. Transports with the same host and port share a listener. */
export function checkHttpPaths(manifest: LoadedManifest): Diagnostic[] {
  const listeners = new Map<string, Map<string, Page>>();
  return itemsOf(manifest, "transports").flatMap((transport) => {
    const { value } = transport;
    if (networkTransport(textIn(value, "type")) === undefined) return [];
    const address = `${textIn(value, "host") ?? "127.0.0.1"} ${String(value["port"] ?? 3000)}`;
    const pages = listeners.get(address) ?? new Map<string, Page>();
    listeners.set(address, pages);
    return samePaths(manifest, transport, pages);
  });
}

/** The page of an endpoint whose path no setting names. */
const CARD = "the server card";

interface Page {
  readonly type: string;
  readonly key: string;
}

function samePaths(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  taken: Map<string, Page>,
): Diagnostic[] {
  const type = textIn(value, "type") ?? "";
  const kind = networkTransport(type);
  if (kind === undefined) return [];
  const hasCard = type === "http" && (manifest.value["card"] ?? false) !== false;
  const keys = [...kind.paths, ...(hasCard ? [CARD] : []), ...(kind.monitoring ?? [])];
  const pathAt = (key: string): unknown => {
    const isScaled = key === "ready" && has(rootOf(manifest).value, "scale");
    return textIn(value, key) ?? (isScaled ? "/readyz" : usualSetting(kind, key));
  };
  return keys.flatMap((key) => {
    const page = key === CARD ? cardPath(String(pathAt("path"))) : pathAt(key);
    if (typeof page !== "string") return [];
    const first = taken.get(page);
    if (first === undefined) {
      taken.set(page, { type, key });
      return [];
    }
    const isSameTransport = first.type === type;
    const reportedKey = key in value ? key : isSameTransport ? first.key : "type";
    return [
      samePath(manifest.locate([...path, reportedKey], "value"), {
        path: quoted(page),
        first: isSameTransport ? first.key : `${first.key} of ${first.type}`,
        second: isSameTransport ? key : `${key} of ${type}`,
      }),
    ];
  });
}
