/** The web page of generated servers, which the build makes from `templates/page/`. */
export interface BuiltPage {
  /** Its Content-Security-Policy. The document contains the same policy. */
  readonly policy: string;
  /** The document. It has an empty element for the JSON of `PageData`. */
  readonly html: string;
}
