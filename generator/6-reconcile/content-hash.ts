import { hash } from "node:crypto";

/** SHA-256 of the bytes as they are, in hex: tells whether a file changed at all. */
export function hashBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** SHA-256 of the content with CRLF read as LF, in hex: the same for both kinds of checkout. */
export function hashContent(content: Uint8Array): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!bytes.includes("\r\n")) return hashBytes(bytes);
  return hashBytes(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"));
}
