/** Limits of a manifest file; each has its diagnostic. */
export const LIMITS = {
  /** Bytes of the file. */
  fileBytes: 8 * 1024 * 1024,
  /** Levels of lists and mappings; the root is the first. */
  depth: 64,
  /** Keys of one mapping. */
  keys: 10_000,
  /** Values that all aliases of a file may repeat together. */
  aliasedValues: 500_000,
  /**
   * YAML tokens, with blanks and line ends. This limits the time and memory of parsing. Manifests that
   * people write have 0.25 to 0.35 tokens per byte.
   */
  tokens: 2_500_000,
  /** Syntax problems that are kept. A file can have millions. */
  syntaxProblems: 100_000,
} as const;
