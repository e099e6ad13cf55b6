/** Texts of a document as a model can use them. */

const LONGEST = 1_024;

/** Without HTML and the addresses of links, white space made one. */
export function plainText(text: string): string {
  return text
    .replace(/<!--[^]*?-->/g, " ")
    .replace(/<\/?[A-Za-z][^<>]*>/g, " ")
    .replace(/!\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1")
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\s]+/g, " ")
    .replace(/\p{Surrogate}/gu, "")
    .trim();
}

/**
 * At most 1,024 characters, cut at the end of a sentence.
 *
 * @param reserved characters that are left for what follows
 */
export function shortened(text: string, reserved = 0): string {
  const longest = LONGEST - reserved;
  if (text.length <= longest) return text;
  const start = text.slice(0, longest - 1);
  const end = Math.max(...[". ", "! ", "? "].map((mark) => start.lastIndexOf(mark)));
  if (end > longest / 4) return start.slice(0, end + 1);
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), longest / 2))}…`;
}

/** Summary and description; the summary once where the description begins with it. */
export function describe(summary: string | undefined, description: string | undefined): string {
  const short = plainText(summary ?? "");
  const long = plainText(description ?? "");
  const bare = short.replace(/\.$/, "");
  if (long.toLowerCase().startsWith(bare.toLowerCase())) return shortened(long);
  if (long === "") return shortened(short);
  return shortened(`${bare}${/[!?]$/.test(bare) ? "" : "."} ${long}`);
}
