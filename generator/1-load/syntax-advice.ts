/** What usually lies behind an error code of the YAML library. */
const ADVICE: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: "write a backslash twice inside double quotes, or use single quotes",
  BAD_INDENT:
    "an opening bracket or brace is not closed, or a line is not indented like its siblings",
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a text that contains `: ` must be in quotes",
  MISSING_CHAR: "a quote, bracket, comma or colon is missing here or just before",
  MULTILINE_IMPLICIT_KEY: "a colon is missing, or a text of several lines needs quotes",
  TAB_AS_INDENT: "indent with spaces",
  "unexpected token": "an opening or closing bracket, or a quote, is missing before this",
};

export function adviceFor(code: string): string | undefined {
  return ADVICE[code];
}
