import { htmlTagNames } from "html-tag-names";

/** The most characters of a description that model APIs accept. */
const LONGEST = 1_024;

const ELEMENTS: ReadonlySet<string> = new Set(htmlTagNames);

/** Elements that are written without an end tag. */
const WITHOUT_END: ReadonlySet<string> = new Set(
  "area br col dd dt hr img input li p source td th tr wbr".split(" "),
);

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9]*)(\s[^<>]*)?\/?>/g;

/**
 * A text without the tags of HTML. What only looks like a tag stays: a type (`List<String>`), or a word that stands for
 * something (`<text>`, also `<title>` where nothing ends it).
 */
function withoutTags(text: string): string {
  const ended = new Set(
    [...text.matchAll(TAG)].flatMap(([, slash, name = ""]) => (slash ? [name.toLowerCase()] : [])),
  );
  return text.replace(TAG, (tag, slash: string, name: string, more: string | undefined) => {
    const element = name.toLowerCase();
    if (!ELEMENTS.has(element)) return tag;
    const hasAttributes = /^\s+[A-Za-z:-]+\s*=/.test(more ?? "");
    const isBare = (more ?? "").trim() === "";
    const isMarkup =
      slash !== "" || WITHOUT_END.has(element) || hasAttributes || (isBare && ended.has(element));
    return isMarkup ? " " : tag;
  });
}

/** A text without HTML, addresses of links and invisible characters. Each white space becomes one space. */
export function plainText(text: string): string {
  return withoutTags(text.replace(/<!--[^]*?-->/g, " "))
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
 * The beginning of a text, at most 1,024 characters. It is cut at the end of a sentence if possible.
 *
 * @param reservedLength number of characters that the caller adds to the result
 */
export function shortened(text: string, reservedLength = 0): string {
  const longest = LONGEST - reservedLength;
  if (text.length <= longest) return text;
  const start = text.slice(0, longest - 1);
  const end = Math.max(...[". ", "! ", "? "].map((mark) => start.lastIndexOf(mark)));
  if (end > longest / 4) return start.slice(0, end + 1);
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), longest / 2))}…`;
}

/** The summary followed by the description. If the description begins with the summary, only the description. */
export function describe(summary: string | undefined, description: string | undefined): string {
  const summaryText = plainText(summary ?? "");
  const descriptionText = plainText(description ?? "");
  const withoutPeriod = summaryText.replace(/\.$/, "");
  if (descriptionText.toLowerCase().startsWith(withoutPeriod.toLowerCase()))
    return shortened(descriptionText);
  if (descriptionText === "") return shortened(summaryText);
  return shortened(`${withoutPeriod}${/[!?]$/.test(withoutPeriod) ? "" : "."} ${descriptionText}`);
}
