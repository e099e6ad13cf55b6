import DOMPurify from "dompurify";
import { Marked } from "marked";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { texts } from "../texts.js";
import { CodeBlock } from "./text.js";
import { visible } from "./visible-text.js";

/** Elements that Markdown makes, without images, which would be fetched. */
const allowedTags = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "span"],
  ...["ul", "ol", "li", "strong", "em", "del", "a", "table", "thead", "tbody", "tr", "th", "td"],
];

/** The maximum length of a text that is parsed as Markdown, in characters. */
const maxLength = 50_000;

/** The maximum length of a paragraph with emphasis. Its parsing time grows with the cube of the length. */
const maxParagraphLength = 3_000;

/** A Markdown parser that reads HTML as text, and makes headings of lower levels than those of the page. */
const marked = new Marked({
  gfm: true,
  tokenizer: {
    html: () => undefined,
    tag: () => undefined,
    emStrong: (_text, paragraph) => (paragraph.length > maxParagraphLength ? undefined : false),
  },
  walkTokens: (token) => {
    if (token.type === "heading") token["depth"] = Math.min(6, Number(token["depth"]) + 2);
  },
});

const purifier = DOMPurify(window);

// Links open in a new tab, without a referrer and without access to this page.
purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  if (!/^https?:\/\//i.test(element.getAttribute("href") ?? "")) element.removeAttribute("href");
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer nofollow");
});

/** Markdown of the server without scripts or fetched content. If it cannot be parsed, it is shown as text. */
export function Markdown({ children }: { readonly children: string }): JSX.Element {
  const __html = useMemo(() => htmlOf(children), [children]);
  return __html === undefined ? (
    <CodeBlock text={children} label={texts.asText} />
  ) : (
    <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html }} />
  );
}

function htmlOf(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  try {
    const unsafe = marked.parse(visible(text), { async: false });
    const html = purifier.sanitize(unsafe, {
      ALLOWED_TAGS: allowedTags,
      ALLOWED_ATTR: ["href", "start", "align"],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: true,
    });
    // DOMPurify returns a `TrustedHTML` object, which the page's policy requires and Preact's types do not have.
    return html as unknown as string;
  } catch {
    // The text is nested too deeply.
    return undefined;
  }
}
