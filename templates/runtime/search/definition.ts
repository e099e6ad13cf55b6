import type { Late } from "../engine/late.js";

declare module "../engine/parts.js" {
  interface RuntimeParts {
    /** How clients reach tools that are in no list. */
    readonly exposure?: SearchExposure;
  }
}

/** Which tools are listed, and what all are found by. */
export interface SearchExposure {
  /** Names of the tools that are listed beside those that search and call. */
  readonly listed: readonly string[];
  readonly index: Late<readonly SearchEntry[]>;
}

/** What a tool is found by, as the compiler has read it. */
export interface SearchEntry {
  readonly name: string;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  /** The stems of the words of its name and title, with spaces between them. */
  readonly heading: string;
  /** Those of its description, and of the names of its parameters. */
  readonly text: string;
}
