import type { JSX } from "preact";
import type { Problems } from "./problems.js";
import type { Schema } from "./schema.js";

/** What the fields of a form share. */
export interface FormContext {
  readonly root: Schema;
  readonly problems: Problems;
  /** Whether fields that nobody has filled in are told to be missing. */
  readonly showsMissing: boolean;
  /** Shows a value with its name. The fields of an object or a list show others. */
  readonly Field: (props: FieldProps) => JSX.Element;
}

export interface FieldProps {
  readonly form: FormContext;
  readonly schema: unknown;
  readonly name: string;
  readonly place: string;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** What an input gets of its field. */
export interface InputProps extends Omit<FieldProps, "schema"> {
  /** References are followed. */
  readonly schema: Schema;
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}
