/** The page of servers, as the build makes it of `templates/page/`. */
export interface BuiltPage {
  /** Its Content-Security-Policy, which stands in the document too. */
  readonly policy: string;
  /** The document, with an empty element for what `PageData` says. */
  readonly html: string;
}
