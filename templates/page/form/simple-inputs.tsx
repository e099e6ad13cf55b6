import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";
import { textOf, type Schema } from "./schema.js";

/** Inputs for texts with at most this many characters have one line. */
const longestLine = 100;

/** Inputs for texts that may have more characters than this have several lines from the start. */
const longestShort = 1_000;

/** Most lines of an input. */
const mostLines = 12;

/** The input type of browsers for a format. */
const inputTypes: Readonly<Record<string, string>> = {
  date: "date",
  email: "email",
  uri: "url",
  password: "password",
};

/** Example texts of formats that are not generally known. */
const placeholders: Readonly<Record<string, string>> = {
  "date-time": "2026-07-28T09:30:00Z",
  time: "09:30:00Z",
  duration: "PT1H30M",
  email: "name@example.com",
  uri: "https://example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** The common attributes of all inputs. */
export interface InputAttributes {
  readonly id: string;
  readonly dir: "auto";
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
  readonly "aria-required": boolean;
}

export function attributesOf(props: InputProps): InputAttributes {
  return {
    id: props.id,
    dir: "auto",
    "aria-describedby": props.describedBy,
    "aria-invalid": props.isInvalid,
    "aria-required": props.isRequired,
  };
}

export function TextInput(props: InputProps): JSX.Element {
  const { schema, value, onChange } = props;
  const text = typeof value === "string" ? value : "";
  const change = (typed: string): void => onChange(typed === "" ? undefined : typed);
  const format = textOf(schema, "format");
  if (takesLines(schema) || text.includes("\n")) {
    return (
      <textarea
        {...attributesOf(props)}
        rows={Math.min(mostLines, Math.max(firstLines(schema), text.split("\n").length))}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={firstLines(schema) > 1 ? undefined : sendOnEnter}
      />
    );
  }
  return (
    <input
      {...attributesOf(props)}
      // Preact's types do not allow an input type that is only known at run time.
      type={(inputTypes[format ?? ""] ?? "text") as "text"}
      placeholder={placeholders[format ?? ""]}
      value={text}
      onInput={(event) => change(event.currentTarget.value)}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

/** Whether a text may have several lines: its schema has no short length and no form. */
function takesLines({ maxLength, format, pattern }: Schema): boolean {
  const isShort = typeof maxLength === "number" && maxLength <= longestLine;
  return format === undefined && pattern === undefined && !isShort;
}

function firstLines({ maxLength }: Schema): number {
  return typeof maxLength === "number" && maxLength > longestShort ? 4 : 1;
}

/** Enter submits a text of one line, as in other inputs. With Shift, or after a first line, it starts a line. */
function sendOnEnter(event: KeyboardEvent): void {
  const { key, shiftKey, isComposing } = event;
  const area = event.currentTarget as HTMLTextAreaElement;
  if (key !== "Enter" || shiftKey || isComposing || area.value.includes("\n")) return;
  event.preventDefault();
  area.form?.requestSubmit();
}

/** An input for a number. A text that is no number is passed on unchanged, and reported as a problem. */
export function NumberInput(props: InputProps): JSX.Element {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(String(value ?? ""));
  const shown = valueOf(typed) === value ? typed : String(value ?? "");
  return (
    <input
      {...attributesOf(props)}
      type="text"
      inputMode={props.schema["type"] === "integer" ? "numeric" : "decimal"}
      value={shown}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(valueOf(event.currentTarget.value));
      }}
      autocomplete="off"
    />
  );
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function valueOf(typed: string): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  return number.test(text) && !isInexact(text) ? Number(text) : text;
}

/** Whether a text is a number that JavaScript would round. */
export function isInexact(text: unknown): boolean {
  if (typeof text !== "string" || !number.test(text)) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /^[^e]*[1-9]/i.test(text);
  return /^[+-]?\d+$/.test(text) && BigInt(text.replace(/^\+/, "")) !== BigInt(value);
}

/** Whether a checkbox is enough. An optional value has a third state: absent. */
export function mustBeSaid(schema: Schema, isRequired: boolean): boolean {
  return isRequired || typeof schema["default"] === "boolean";
}

/** A checkbox if the value is required, otherwise a choice with an empty option. */
export function BooleanInput(props: InputProps): JSX.Element {
  const { value, isRequired, onChange, schema } = props;
  if (mustBeSaid(schema, isRequired)) {
    return (
      <input
        {...attributesOf(props)}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  return (
    <select
      {...attributesOf(props)}
      value={value === undefined ? "" : String(value)}
      onChange={({ currentTarget: { value: chosen } }) =>
        onChange(chosen === "" ? undefined : chosen === "true")
      }
    >
      <option value="">{texts.notSet}</option>
      <option value="true">{texts.yes}</option>
      <option value="false">{texts.no}</option>
    </select>
  );
}
