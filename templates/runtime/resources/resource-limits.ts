/** The limits of reading resources. */
interface ResourceLimits {
  /** Longest resource URI, in UTF-16 code units. */
  readonly uriLength: number;
  /** Largest file that a resource may read, in bytes. */
  readonly fileBytes: number;
}

export const resourceLimits: ResourceLimits = {
  uriLength: 2_048,
  fileBytes: 16 * 1024 * 1024,
};
