import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";
import { isInexact } from "./simple-inputs.js";

/** An input for any value as JSON. An invalid text stays in the input and does not change the value. */
export function JsonInput(props: InputProps): JSX.Element {
  const { id, describedBy, isInvalid, isRequired, value, onChange } = props;
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const problem = problemOf(parse(text));
  const change = (typed: string): void => {
    setText(typed);
    const parsed = parse(typed);
    if ("value" in parsed) onChange(parsed.value);
  };
  return (
    <>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        aria-describedby={[describedBy, `${id}-json`].filter(Boolean).join(" ")}
        aria-invalid={isInvalid || problem !== undefined}
        aria-required={isRequired}
        placeholder={texts.json}
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="problem" id={`${id}-json`} aria-live="polite">
        {problem}
      </p>
    </>
  );
}

/** The value of a JSON text, or the problem of an invalid text. */
type ParsedText = { readonly value: unknown } | { readonly problem: string };

function problemOf(parsed: ParsedText): string | undefined {
  return "problem" in parsed ? parsed.problem : undefined;
}

/** Parses JSON. The value of an empty text is undefined. */
function parse(text: string): ParsedText {
  if (text.trim() === "") return { value: undefined };
  try {
    const value = JSON.parse(text) as unknown;
    return hasInexactNumber(text) ? { problem: texts.inexactNumber } : { value };
  } catch {
    return { problem: texts.notJson };
  }
}

/** Matches the texts and the numbers in JSON. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Whether a JSON text has a number that JavaScript would round. */
function hasInexactNumber(json: string): boolean {
  return (json.match(textOrNumber) ?? []).some(isInexact);
}
