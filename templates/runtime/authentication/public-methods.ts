import type { RequestHead } from "../http/request-head.js";
import type { Authentication } from "./authentication.js";

/** The identity that all callers of public methods without credentials share. */
export const anybody: Authentication = { principal: "anybody", scopes: [] };

/** The maximum size of a request body from a caller without credentials, in bytes. */
export const maxPublicBytes = 64 * 1_024;

/** Whether the headers of a request without credentials name a public method. */
export function isPublic(
  { method, headers }: RequestHead,
  publicMethods: readonly string[] = [],
): boolean {
  return (
    method === "POST" &&
    headers.authorization === undefined &&
    publicMethods.includes(String(headers["mcp-method"])) &&
    Number(headers["content-length"]) <= maxPublicBytes
  );
}

/** Whether the body of such a request calls the method that its header names. */
export function matchesMethodHeader({ headers }: RequestHead, body: unknown): boolean {
  const { method } = (body ?? {}) as { readonly method?: unknown };
  return !Array.isArray(body) && method === headers["mcp-method"];
}
