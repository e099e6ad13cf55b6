import { createHash } from "node:crypto";
import { writtenJson, type JsonObject, type JsonValue } from "../model/json.js";

/**
 * A manifest as it stands in a lock: one item a line, so that version control merges it line by line.
 *
 * @param manifest canonical
 */
export function manifestText(manifest: JsonObject): string {
  const entries = Object.entries(manifest).map(([key, value]) => {
    const written = Array.isArray(value) ? writtenList(value) : JSON.stringify(value);
    return `    ${JSON.stringify(key)}: ${written}`;
  });
  return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n  }`;
}

function writtenList(list: readonly JsonValue[]): string {
  if (list.length === 0) return "[]";
  return `[\n      ${list.map(writtenJson).join(",\n      ")}\n    ]`;
}

/**
 * Hash (SHA-256, hex) of everything that the generated files depend on.
 *
 * @param generator the version of mcpwright
 * @param templates hash of what goes into projects
 * @param manifest canonical
 */
export function inputHash(generator: string, templates: string, manifest: JsonObject): string {
  const identity = JSON.stringify([generator, templates]);
  return createHash("sha256").update(`${identity}\n`).update(manifestText(manifest)).digest("hex");
}
