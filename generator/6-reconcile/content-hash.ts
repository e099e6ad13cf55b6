import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";

/** SHA-256 of the bytes, in hex. It changes with any change of the file. */
export function hashBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** SHA-256 of the content with LF instead of CRLF, in hex. It is equal for checkouts with either line ends. */
export function hashContent(content: Uint8Array): string {
  return hashBytes(withLineFeeds(content));
}

/**
 * True if two files of gzip have the same contents. Their own bytes may differ, since versions of Node.js compress
 * differently.
 */
export function haveSameContents(packed: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(packed, other) === 0) return true;
  try {
    return Buffer.compare(gunzipSync(packed), gunzipSync(other)) === 0;
  } catch {
    return false;
  }
}

/**
 * The hashes of the sections of a Markdown text, each from one heading to the next, joined with spaces.
 * Branches that change different sections change different hashes, which git can merge.
 */
export function hashSections(content: Uint8Array): string {
  const sections = withLineFeeds(content)
    .toString("latin1")
    .split(/^(?=#)/m);
  return sections.map((section) => hashBytes(Buffer.from(section, "latin1"))).join(" ");
}

/** True if the content has this hash, which is a result of `hashContent` or of `hashSections`. */
export function hasHash(content: Uint8Array, hash: string): boolean {
  return (hash.includes(" ") ? hashSections(content) : hashContent(content)) === hash;
}

function withLineFeeds(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf("\r\n"); end >= 0; end = bytes.indexOf("\r\n", start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(start)]);
}
