import DOMPurify from "dompurify";
import { Marked } from "marked";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { visible } from "./visible-text.js";

/** Elements that Markdown makes, but for images, which would be fetched. */
const allowedTags = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "span"],
  ...["ul", "ol", "li", "strong", "em", "del", "a", "table", "thead", "tbody", "tr", "th", "td"],
];

/** Reads no HTML: what looks like it is text. */
const marked = new Marked({
  gfm: true,
  tokenizer: { html: () => undefined, tag: () => undefined },
});

const purifier = DOMPurify(window);

// A link opens in another tab, which learns nothing of this one.
purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  if (!/^https?:\/\//i.test(element.getAttribute("href") ?? "")) element.removeAttribute("href");
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer nofollow");
});

/** Markdown of the server, without anything that acts or is fetched. */
export function Markdown({ children }: { readonly children: string }): JSX.Element {
  const html = useMemo(() => {
    const unsafe = marked.parse(visible(children), { async: false });
    return purifier.sanitize(unsafe, {
      ALLOWED_TAGS: allowedTags,
      ALLOWED_ATTR: ["href", "start", "align"],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: true,
    });
  }, [children]);
  // A browser takes markup from DOMPurify only, as an object of a kind that Preact's types do not know.
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html as unknown as string }} />;
}
