import ipaddr from "ipaddr.js";
import { halfCertificate, privateAddress } from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { has, mappingIn, textIn, type Mapping } from "../manifest-view.js";

/** Whether the server could ever connect to an upstream as the manifest says it. */
export function connectionProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  return [
    ...certificateProblems(manifest, upstream),
    ...addressProblems(manifest, upstream, "baseUrl"),
    ...addressProblems(manifest, mappingIn(upstream, "mcp"), "url", upstream),
  ];
}

function certificateProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  const [given, other] = ["cert", "key"].filter((key) => has(value, key));
  if (given === undefined || other !== undefined) return [];
  const missing = given === "cert" ? "key" : "cert";
  return [halfCertificate(manifest.locate([...path, given], "key"), { given, missing })];
}

/** @param upstream that says whether private addresses are meant, and which proxy connects */
function addressProblems(
  manifest: LoadedManifest,
  holder: Mapping | undefined,
  key: string,
  upstream = holder,
): Diagnostic[] {
  const url = holder && textIn(holder.value, key);
  if (holder === undefined || upstream === undefined || url === undefined) return [];
  if (upstream.value["private"] === true || has(upstream.value, "proxy")) return [];
  const host = privateHost(url);
  if (host === undefined) return [];
  return [privateAddress(manifest.locate([...holder.path, key], "value"), { host: quoted(host) })];
}

/** The host of a URL, where the network is not asked to know that its address is not public. */
function privateHost(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (/(?:^|\.)localhost\.?$/.test(host)) return host;
  return ipaddr.isValid(host) && ipaddr.process(host).range() !== "unicast" ? host : undefined;
}
