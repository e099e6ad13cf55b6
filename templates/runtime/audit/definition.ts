/** The settings of the audit trail in the manifest. */
export interface AuditDefinition {
  /** The environment variable with the file's path. Without it, lines go to stderr. */
  readonly to?: { readonly env: string };
  /** What a line contains of the arguments of a call: nothing, their names, or also their values. */
  readonly arguments: "none" | "names" | "values";
  /** Whether calls and answers wait until their lines are on the disk. */
  readonly durable: boolean;
}
