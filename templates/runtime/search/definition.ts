declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Set if clients find tools by search. Names the tools that are listed nevertheless. */
    readonly exposure?: SearchExposure;
  }
}

declare module "../tools/definition.js" {
  interface ToolEntry {
    /** The words by which search finds the tool. */
    readonly search?: SearchWords;
  }
}

export interface SearchExposure {
  /** Names of the tools that are listed beside the three tools that search and call. */
  readonly listed: readonly string[];
}

/** The stems of a tool's words, separated by spaces. The compiler has computed them. */
export interface SearchWords {
  /** Stems of the name and title. */
  readonly heading: string;
  /** Stems of the description and of the names of parameters. */
  readonly text: string;
}

/** A tool in the form that the search index needs. */
export interface SearchEntry extends SearchWords {
  readonly name: string;
  /** Whether the tool only reads and changes nothing. */
  readonly reads: boolean;
}
