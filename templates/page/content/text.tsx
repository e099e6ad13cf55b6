import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import { visible } from "./visible-text.js";

/** A text of the server: nothing in it is markup, and its writing direction stays its own. */
export function Text({ children }: { readonly children: string | undefined }): JSX.Element {
  return <bdi>{visible(children ?? "")}</bdi>;
}

/** A text over several lines, with a button that copies it. */
export function CodeBlock(props: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={props.label}>
        <bdi>{visible(props.text)}</bdi>
      </pre>
      <CopyButton text={props.text} />
    </div>
  );
}

export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
    </button>
  );
}
