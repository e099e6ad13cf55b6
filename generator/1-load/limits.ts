/** Limits of a manifest; each has its diagnostic. The files that it includes count with it. */
export const LIMITS = {
  /** Bytes of all files. */
  fileBytes: 8 * 1024 * 1024,
  /** Levels of lists and mappings; the root is the first. */
  depth: 64,
  /** Keys of one mapping. */
  keys: 10_000,
  /** Values that all aliases may repeat together. */
  aliasedValues: 500_000,
  /**
   * YAML tokens, with blanks and line ends. This limits the time and memory of parsing. Manifests that
   * people write have 0.25 to 0.35 tokens per byte.
   */
  tokens: 2_500_000,
  /** Included files. */
  parts: 1_000,
  /** Syntax problems that are kept. A file can have millions. */
  syntaxProblems: 100_000,
} as const;
