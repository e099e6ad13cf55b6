import type { AddressModel, HttpTransportModel } from "../../model/transports.js";

/** The URL by which a client on the same machine reaches a transport. It needs no quotes in a shell. */
export function localUrl(transport: AddressModel & Pick<HttpTransportModel, "tls">): string {
  const { port, path, tls } = transport;
  const host = withoutBrackets(transport.host);
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const name = isEveryAddress(host) ? "127.0.0.1" : bracketed;
  const scheme = tls === undefined ? "http" : "https";
  return `${scheme}://${name}:${port}${path}`.replace(/[^\w:/.~%[\]-]/gu, percentEncoded);
}

/** True if a server with this host listens on every address of its machine. */
export function isEveryAddress(host: string): boolean {
  return ["0.0.0.0", "::"].includes(withoutBrackets(host));
}

/** An IPv6 address without the brackets that it has in URLs. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function percentEncoded(character: string): string {
  const bytes = [...Buffer.from(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
