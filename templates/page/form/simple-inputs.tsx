import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import type { InputProps } from "./field.js";
import { textOf, type Schema } from "./schema.js";

/** Texts that may be longer than this, in characters, get several lines. */
const longestLine = 1_000;

/** The type of input that a browser has for a format. */
const inputTypes: Readonly<Record<string, string>> = {
  date: "date",
  email: "email",
  uri: "url",
  password: "password",
};

/** What inputs of every kind say of themselves. */
export interface InputAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
  readonly "aria-required": boolean;
}

export function attributesOf(props: InputProps): InputAttributes {
  return {
    id: props.id,
    "aria-describedby": props.describedBy,
    "aria-invalid": props.isInvalid,
    "aria-required": props.isRequired,
  };
}

export function TextInput(props: InputProps): JSX.Element {
  const { schema, value, onChange } = props;
  const text = typeof value === "string" ? value : "";
  const change = (typed: string): void => onChange(typed === "" ? undefined : typed);
  if (isLong(schema, text)) {
    return (
      <textarea
        {...attributesOf(props)}
        rows={4}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...attributesOf(props)}
      // Preact's types know no input whose type is found while it is drawn.
      type={(inputTypes[textOf(schema, "format") ?? ""] ?? "text") as "text"}
      placeholder={placeholderOf(schema)}
      value={text}
      onInput={(event) => change(event.currentTarget.value)}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

function isLong({ maxLength, format }: Schema, text: string): boolean {
  if (text.includes("\n")) return true;
  return format === undefined && typeof maxLength === "number" && maxLength > longestLine;
}

/** The first example of a schema, or the form of a date with a time, for which browsers have no input. */
function placeholderOf(schema: Schema): string | undefined {
  const { examples } = schema;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  if (typeof example === "string") return example;
  return schema["format"] === "date-time" ? "2026-07-28T09:30:00Z" : undefined;
}

/** Keeps what is typed until it is a number; what is none goes on as it is, and is judged as wrong. */
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

function valueOf(typed: string): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** A box to tick where the value is needed, else a choice that may be left open. */
export function BooleanInput(props: InputProps): JSX.Element {
  const { value, isRequired, onChange, schema } = props;
  if (isRequired || typeof schema["default"] === "boolean") {
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
