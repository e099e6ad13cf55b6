/** The page for people. The build of the package writes the built page of `templates/page/` in place of this module. */

/** Its Content-Security-Policy. */
export const policy: string = "";

/** The document, with its script and style. */
export const html: string = "";
