/** The audit trail: a line for each use of an item and for each refused request. */
import { openAudit, openTrail } from "./audit/audit.js";
import type { AuditDefinition } from "./audit/definition.js";
import type { ServerPart } from "./server/server-part.js";

export type { AuditDefinition } from "./audit/definition.js";

/**
 * Writes a line of JSON for each use of an item and for each refused request: who called what, when, from where, for how
 * long, and with which outcome. The server does not start if the file cannot be opened.
 */
export function audit(settings: AuditDefinition): ServerPart {
  return () => ({ audit: settings, openAudit, openTrail });
}
