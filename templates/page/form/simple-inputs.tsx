import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";
import { textOf, type Schema } from "./schema.js";

/** Inputs for texts with at most this many characters have one line. */
const maxLineLength = 100;

/** Inputs for texts that may have more characters than this have several lines from the start. */
const maxShortLength = 1_000;

/** The maximum number of lines of an input. */
const maxRows = 12;

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
  if (allowsLines(schema) || text.includes("\n")) {
    return (
      <textarea
        {...attributesOf(props)}
        rows={Math.min(maxRows, Math.max(initialRows(schema), text.split("\n").length))}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={initialRows(schema) > 1 ? undefined : submitOnEnter}
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

/** Whether a text may have several lines. Not if its schema has a small maximum length, a format or a pattern. */
function allowsLines({ maxLength, format, pattern }: Schema): boolean {
  const isShort = typeof maxLength === "number" && maxLength <= maxLineLength;
  return format === undefined && pattern === undefined && !isShort;
}

function initialRows({ maxLength }: Schema): number {
  return typeof maxLength === "number" && maxLength > maxShortLength ? 4 : 1;
}

/** Submits a text of one line with Enter, as other inputs do. In longer texts, or with Shift, Enter adds a line. */
function submitOnEnter(event: KeyboardEvent): void {
  const { key, shiftKey, isComposing } = event;
  const area = event.currentTarget as HTMLTextAreaElement;
  if (key !== "Enter" || shiftKey || isComposing || area.value.includes("\n")) return;
  event.preventDefault();
  area.form?.requestSubmit();
}

/** An input for a number. The value of a text that is not a number is the text, which validation rejects. */
export function NumberInput(props: InputProps): JSX.Element {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(String(value ?? ""));
  const displayed = parseNumber(typed) === value ? typed : String(value ?? "");
  return (
    <input
      {...attributesOf(props)}
      type="text"
      inputMode={props.schema["type"] === "integer" ? "numeric" : "decimal"}
      value={displayed}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parseNumber(event.currentTarget.value));
      }}
      autocomplete="off"
    />
  );
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function parseNumber(typed: string): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  return numberPattern.test(text) && !isInexact(text) ? Number(text) : text;
}

/** Whether a text is a number that JavaScript would round. */
export function isInexact(text: unknown): boolean {
  if (typeof text !== "string" || !numberPattern.test(text)) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /^[^e]*[1-9]/i.test(text);
  return /^[+-]?\d+$/.test(text) && BigInt(text.replace(/^\+/, "")) !== BigInt(value);
}

/** Whether a checkbox can show all states. An optional value has a third state: absent. */
export function isCheckbox(schema: Schema, isRequired: boolean): boolean {
  return isRequired || typeof schema["default"] === "boolean";
}

/** A checkbox if the value is required, otherwise a choice with an empty option. */
export function BooleanInput(props: InputProps): JSX.Element {
  const { value, isRequired, onChange, schema } = props;
  if (isCheckbox(schema, isRequired)) {
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
      onChange={({ currentTarget: { value: selected } }) =>
        onChange(selected === "" ? undefined : selected === "true")
      }
    >
      <option value="">{texts.notSet}</option>
      <option value="true">{texts.yes}</option>
      <option value="false">{texts.no}</option>
    </select>
  );
}
