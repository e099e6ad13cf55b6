import { kindOfHost } from "../../../templates/runtime/egress/addresses.js";
import { halfCertificate, privateAddress, privateDefault } from "../../model/catalogue/bodies.js";
import { TOKEN_GRANTS } from "../../model/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { has, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";

/** Reports settings of an upstream with which the server could never connect. */
export function connectionProblems(manifest: LoadedManifest, upstream: Mapping): Diagnostic[] {
  return [
    ...certificateProblems(manifest, upstream),
    ...addressProblems(manifest, upstream, "baseUrl"),
    ...addressProblems(manifest, mappingIn(upstream, "mcp"), "url", upstream),
    ...tokenSources(upstream).flatMap((source) =>
      addressProblems(manifest, source, "tokenUrl", upstream),
    ),
  ];
}

function tokenSources(upstream: Mapping): Mapping[] {
  const auth = mappingIn(upstream, "auth");
  return TOKEN_GRANTS.flatMap((grant) => (auth && mappingIn(auth, grant)) ?? []);
}

function certificateProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  const [present, other] = ["cert", "key"].filter((key) => has(value, key));
  if (present === undefined || other !== undefined) return [];
  const parameters = { given: present, missing: present === "cert" ? "key" : "cert" };
  return [halfCertificate(manifest.locate([...path, present], "key"), parameters)];
}

/** @param upstream the mapping that may have `private` and `proxy` */
function addressProblems(
  manifest: LoadedManifest,
  holder: Mapping | undefined,
  key: string,
  upstream = holder,
): Diagnostic[] {
  if (holder === undefined || upstream === undefined) return [];
  if (upstream.value["private"] === true || has(upstream.value, "proxy")) return [];
  const path = [...holder.path, key];
  const host = privateHost(textIn(holder.value, key));
  if (host !== undefined) {
    return [privateAddress(manifest.locate(path, "value"), { host: quoted(host) })];
  }
  const reference = mappingIn(holder, key);
  const name = reference && textIn(reference.value, "env");
  const variables = mappingIn(rootOf(manifest), "env");
  if (name === undefined || variables === undefined) return [];
  const usualHost = privateHost(textIn(mappingIn(variables, name)?.value ?? {}, "default"));
  if (usualHost === undefined) return [];
  const place = manifest.locate([...path, "env"], "value");
  return [privateDefault(place, { name, host: quoted(usualHost) })];
}

/** The host of a URL if it is private for certain, without a question to DNS: localhost, or an address that is not public. */
function privateHost(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const kind = kindOfHost(hostname);
  return kind === undefined || kind === "public" ? undefined : hostname.replace(/^\[|\]$/g, "");
}
