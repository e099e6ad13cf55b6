import { createHash } from "node:crypto";
import type { ServerDefinition } from "../engine/definition.js";
import { legacyRevisions } from "../fast-path/legacy-request.js";
import { revision } from "../fast-path/request.js";
import type { ServerCard } from "./definition.js";
import { isRead, type PlainPage } from "./page-answer.js";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** How long clients may keep a card without asking again, in seconds. */
const maxAge = 3_600;

/** Cards have nothing that is not for everyone, so that pages of every origin may read them. */
const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "Content-Type, If-None-Match",
  "access-control-expose-headers": "ETag",
};

/** Makes the page that serves the card of a server: the same bytes to everyone, without credentials. */
export function cardPage(definition: ServerDefinition, card: ServerCard): PlainPage {
  const body = JSON.stringify(documentOf(definition, card));
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const lasting = { ...cors, etag, "cache-control": `public, max-age=${maxAge}` };
  const type = "application/mcp-server-card+json";
  const length = String(Buffer.byteLength(body));
  return (request) => {
    if (request.method === "OPTIONS") return { status: 204, headers: cors };
    if (!isRead(request)) return { status: 405, headers: { ...cors, allow: "GET, HEAD, OPTIONS" } };
    const clientTags = String(request.headers["if-none-match"] ?? "")
      .split(",")
      .map((tag) => tag.trim());
    if (clientTags.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag)) {
      return { status: 304, headers: lasting };
    }
    return {
      status: 200,
      headers: { ...lasting, "content-type": type, "content-length": length },
      body,
    };
  };
}

function documentOf(
  { info: { version }, protocol: { legacy } }: ServerDefinition,
  { name, url, ...texts }: ServerCard,
): object {
  const older = legacy === "serve" ? legacyRevisions : [];
  const supportedProtocolVersions = [revision, ...older];
  const remote = { type: "streamable-http", url, supportedProtocolVersions };
  return {
    $schema: SCHEMA,
    name,
    version,
    ...texts,
    ...(url !== undefined && { remotes: [remote] }),
  };
}
