/** The manifest's `restrict`: what operators and callers may take away of the items. */
export interface RestrictDefinition {
  /** How groups of items are chosen. */
  readonly groups?: {
    /** The variable with the groups that are served; `MCP_GROUPS` by default. */
    readonly env?: string;
    /** The start of scopes that name the groups which a caller gets. */
    readonly scopePrefix?: string;
  };
  /** How all is switched off that may change something. */
  readonly readOnly?: {
    /** The variable that switches all off that may change something; `MCP_READ_ONLY` by default. */
    readonly env?: string;
    /** The scope of callers who get only what reads. */
    readonly scope?: string;
  };
}
