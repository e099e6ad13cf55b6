import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";

/** A value of any kind, as JSON. What is not JSON yet is kept here, and is no value. */
export function JsonInput(props: InputProps): JSX.Element {
  const { id, describedBy, isInvalid, isRequired, value, onChange } = props;
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const parsed = parse(text);
  const change = (typed: string): void => {
    setText(typed);
    const read = parse(typed);
    if (read !== undefined) onChange(read.value);
  };
  return (
    <>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        aria-describedby={[describedBy, `${id}-json`].filter(Boolean).join(" ")}
        aria-invalid={isInvalid || parsed === undefined}
        aria-required={isRequired}
        placeholder={texts.json}
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="problem" id={`${id}-json`} aria-live="polite">
        {parsed === undefined && texts.notJson}
      </p>
    </>
  );
}

/** Undefined where it is not JSON; an empty text is no value. */
function parse(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
