import DOMPurify from "dompurify";
import { Marked } from "marked";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { texts } from "../texts.js";
import { CodeBlock } from "./text.js";
import { visible } from "./visible-text.js";

/** Elements that Markdown makes, but for images, which would be fetched. */
const allowedTags = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "span"],
  ...["ul", "ol", "li", "strong", "em", "del", "a", "table", "thead", "tbody", "tr", "th", "td"],
];

/** The longest text that is read as Markdown, in characters. */
const longest = 50_000;

/** The longest paragraph in which emphasis is looked for, whose time goes up with its length's third power. */
const longestParagraph = 3_000;

/** Reads no HTML: what looks like it is text. Headings stand below those of the page. */
const marked = new Marked({
  gfm: true,
  tokenizer: {
    html: () => undefined,
    tag: () => undefined,
    emStrong: (_text, paragraph) => (paragraph.length > longestParagraph ? undefined : false),
  },
  walkTokens: (token) => {
    if (token.type === "heading") token["depth"] = Math.min(6, Number(token["depth"]) + 2);
  },
});

const purifier = DOMPurify(window);

// A link opens in another tab, which learns nothing of this one.
purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  if (!/^https?:\/\//i.test(element.getAttribute("href") ?? "")) element.removeAttribute("href");
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer nofollow");
});

/** Markdown of the server, without anything that acts or is fetched; as it is where it cannot be read. */
export function Markdown({ children }: { readonly children: string }): JSX.Element {
  const __html = useMemo(() => htmlOf(children), [children]);
  return __html === undefined ? (
    <CodeBlock text={children} label={texts.asText} />
  ) : (
    <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html }} />
  );
}

function htmlOf(text: string): string | undefined {
  if (text.length > longest) return undefined;
  try {
    const unsafe = marked.parse(visible(text), { async: false });
    const html = purifier.sanitize(unsafe, {
      ALLOWED_TAGS: allowedTags,
      ALLOWED_ATTR: ["href", "start", "align"],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: true,
    });
    // A browser takes markup from DOMPurify only, as an object of a kind that Preact's types do not know.
    return html as unknown as string;
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}
