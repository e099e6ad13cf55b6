declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Which tools are listed, where the others are found by searching. */
    readonly exposure?: SearchExposure;
  }
}

declare module "../tools/definition.js" {
  interface ToolEntry {
    /** What it is found by. */
    readonly search?: SearchWords;
  }
}

export interface SearchExposure {
  /** Names of the tools that are listed beside those that search and call. */
  readonly listed: readonly string[];
}

/** What a tool is found by, as the compiler has read it: stems of words, with spaces between them. */
export interface SearchWords {
  /** Of its name and title. */
  readonly heading: string;
  /** Of its description, and of the names of its parameters. */
  readonly text: string;
}

/** A tool, as an index knows it. */
export interface SearchEntry extends SearchWords {
  readonly name: string;
  /** Whether it changes nothing. */
  readonly reads: boolean;
}
