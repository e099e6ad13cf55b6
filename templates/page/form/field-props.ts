import type { JSX } from "preact";
import type { Problems } from "./problems.js";
import type { Schema } from "./schema.js";

/** The data that all fields of a form share. */
export interface FormContext {
  readonly root: Schema;
  readonly problems: Problems;
  /** Whether empty required fields are marked as missing. */
  readonly showsMissing: boolean;
  /** The component for a value with its name. It is here so that fields can contain fields. */
  readonly Field: (props: FieldProps) => JSX.Element;
}

export interface FieldProps {
  readonly form: FormContext;
  readonly schema: unknown;
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** The properties of the input in a field. */
export interface InputProps extends Omit<FieldProps, "schema"> {
  /** The schema with its references resolved. */
  readonly schema: Schema;
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}
