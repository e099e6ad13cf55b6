/** The audit trail: a line for each use of an item and for each refused request. */
import { openAudit } from "./audit/audit.js";
import type { AuditDefinition } from "./audit/definition.js";
import type { ServerPart } from "./server/server-part.js";

export type { AuditDefinition } from "./audit/definition.js";

/** Writes who called what, to a file or to stderr. */
export function audit(settings: AuditDefinition): ServerPart {
  return () => ({ audit: settings, openAudit });
}
