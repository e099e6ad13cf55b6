declare module "../engine/definition.js" {
  interface ServerDefinition {
    readonly audit?: AuditDefinition;
  }
}

/** What the manifest says of the audit trail. */
export interface AuditDefinition {
  /** The variable with the file's path; without one, lines go to stderr. */
  readonly to?: { readonly env: string };
  /** What of the arguments stands in a line. */
  readonly arguments: "none" | "names" | "values";
  /** Whether an answer waits until its line is on the disk. */
  readonly durable: boolean;
}
