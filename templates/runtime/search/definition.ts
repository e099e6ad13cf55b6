/** The tools that are listed although clients find tools by searching. */
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
