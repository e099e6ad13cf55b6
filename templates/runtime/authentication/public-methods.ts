import type { IncomingMessage } from "node:http";
import type { Authentication } from "./authentication.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** Methods that need no credentials. */
    readonly publicMethods?: readonly string[];
  }
}

/** Whoever asks for a public method and does not say who they are. Any number of callers share it. */
export const anybody: Authentication = { principal: "anybody", scopes: [] };

/** The longest body that is read of a caller who is not known, in bytes. */
const longestBody = 64 * 1_024;

/** Whether a request without credentials is for a public method, as far as its headers say. */
export function isPublic(
  { method, headers }: IncomingMessage,
  publicMethods: readonly string[] = [],
): boolean {
  return (
    method === "POST" &&
    headers.authorization === undefined &&
    publicMethods.includes(String(headers["mcp-method"])) &&
    Number(headers["content-length"]) <= longestBody
  );
}

/** Whether the body of such a request is a request for the same method, as its header says it. */
export function isWhatHeadersSay({ headers }: IncomingMessage, body: unknown): boolean {
  const { method } = (body ?? {}) as { readonly method?: unknown };
  return !Array.isArray(body) && method === headers["mcp-method"];
}
