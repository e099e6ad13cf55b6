/** Which part of an answer becomes content. */
export interface ContentOptions {
  /** The JSON Pointer to the part of a JSON answer. */
  readonly from?: string;
  /** The only members that objects keep. */
  readonly fields?: readonly string[];
}

/** Which part of an answer becomes the result of a tool with an output schema. */
export interface ResultOptions extends ContentOptions {
  /** Makes the result of the whole answer, instead of `from` and `fields`. It is not called for null. */
  readonly select?: (answer: unknown) => unknown;
  /**
   * Headers that the result has beside the answer, by the names of their members. The answer itself is then the member
   * `body`, or `items` if the caller can ask for more pages.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether an answer that breaks the schema is an error without the answer. */
  readonly strict?: boolean;
}

/** Which part of an answer becomes a resource, and with which type. */
export interface ResourceOptions extends ContentOptions {
  /** The type to use instead of the answer's media type. */
  readonly mimeType?: string;
}

/** The contents of a resource, which handlers of resources return. */
export type ReadContents = { readonly mimeType: string } & (
  { readonly text: string } | { readonly blob: Uint8Array }
);

/** The items of all pages of a list. */
export interface FetchedPages {
  readonly items: readonly unknown[];
  /** The number of pages that were fetched; absent if those are all pages. */
  readonly maxPages?: number;
  /** Whether the caller may ask for more pages. */
  readonly isExposed?: boolean;
  /** With what the caller asks for the next page; absent if there is none. */
  readonly nextCursor?: string | undefined;
}
