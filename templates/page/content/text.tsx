import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import { visible } from "./visible-text.js";

/** The maximum length of a text that is shown completely, in characters. Browsers take long to lay out more. */
const maxShownLength = 20_000;

/** A text of the server. It is not read as markup, and its writing direction does not affect other texts. */
export function Text({ children = "" }: { readonly children: string | undefined }): JSX.Element {
  const isCut = children.length > maxShownLength;
  return <bdi>{visible(isCut ? `${children.slice(0, maxShownLength)}…` : children)}</bdi>;
}

/** The name of a member, where it is a label. One without a character to see stands in quotes. */
export function Name({ children: name }: { readonly children: string }): JSX.Element {
  return <Text>{name.trim() === "" ? JSON.stringify(name) : name}</Text>;
}

/** A text over several lines, with a button that copies it. */
export function CodeBlock(props: { readonly text: string; readonly label: string }): JSX.Element {
  const { text, label } = props;
  const [isWhole, setWhole] = useState(text.length <= maxShownLength);
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label} dir="auto">
        {visible(isWhole ? text : text.slice(0, maxShownLength))}
      </pre>
      <CopyButton text={text} />
      {!isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {texts.showAll(text.length)}
        </button>
      )}
    </div>
  );
}

/** A value as JSON. */
export function JsonBlock(props: { readonly value: unknown; readonly label: string }): JSX.Element {
  return <CodeBlock label={props.label} text={jsonOf(props.value, 2)} />;
}

/** Returns a value as JSON, or a message if it is nested too deeply. */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return texts.tooDeep;
  }
}

function CopyButton({ text }: { readonly text: string }): JSX.Element {
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
