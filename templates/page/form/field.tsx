import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { ChoiceInput, ChoicesInput } from "./choice-inputs.js";
import { JsonInput } from "./json-input.js";
import { ListInput, MapInput, ObjectInput } from "./nested-inputs.js";
import { wordsOf, type Problems } from "./problems.js";
import { choicesOf, kindOf, resolve, textOf, type FieldKind, type Schema } from "./schema.js";
import { BooleanInput, NumberInput, TextInput } from "./simple-inputs.js";
import { VariantInput } from "./variant-input.js";

/** What the fields of a form share. */
export interface FormContext {
  readonly root: Schema;
  readonly problems: Problems;
  /** Whether fields that nobody has filled in are told to be missing. */
  readonly showsMissing: boolean;
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

/** Kinds whose parts have labels of their own, so that a legend names them together. */
const grouping: ReadonlySet<FieldKind> = new Set(["list", "object", "map", "variants"]);

/** A value with its name, what is known of it, and what is wrong with it. */
export function Field(props: FieldProps): JSX.Element {
  const id = useId();
  const schema = resolve(props.schema, props.form.root);
  const kind = kindOf(schema);
  const problem = problemOf(props, schema);
  const description = textOf(schema, "description");
  const describedBy = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(" ");
  const inputProps: InputProps = {
    ...{ ...props, schema, id },
    describedBy: describedBy === "" ? undefined : describedBy,
    isInvalid: problem !== undefined,
  };
  const isGroup = grouping.has(kind) || choicesOfItems(schema, props.form.root);
  return (
    <Labelled isGroup={isGroup} props={inputProps}>
      {description !== undefined && (
        <p class="description" id={`${id}-description`}>
          <Text>{description}</Text>
        </p>
      )}
      <Input kind={kind} {...inputProps} />
      <p class="problem" id={`${id}-problem`} aria-live="polite">
        {problem !== undefined && <Text>{problem}</Text>}
      </p>
    </Labelled>
  );
}

function problemOf({ form, place, value }: FieldProps, schema: Schema): string | undefined {
  const problem = form.problems.get(place);
  if (problem === undefined || (value === undefined && !form.showsMissing)) return undefined;
  return wordsOf(problem, schema);
}

function Labelled(props: {
  readonly isGroup: boolean;
  readonly props: InputProps;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, name, schema, isRequired, describedBy } = props.props;
  const label = <Text>{textOf(schema, "title") ?? name}</Text>;
  if (props.isGroup) {
    return (
      <fieldset class="field group" aria-describedby={describedBy}>
        <legend class="label">
          <span class="name">{label}</span>
          {isRequired && <RequiredMark />}
        </legend>
        <div class="group-content">{props.children}</div>
      </fieldset>
    );
  }
  return (
    <div class="field">
      <div class="label">
        <label class="name" for={id}>
          {label}
        </label>
        {isRequired && <RequiredMark />}
      </div>
      {props.children}
    </div>
  );
}

/** Screen readers have it from the input. */
export function RequiredMark(): JSX.Element {
  return (
    <span class="required" aria-hidden="true">
      {texts.required}
    </span>
  );
}

function Input({ kind, ...props }: InputProps & { readonly kind: FieldKind }): JSX.Element {
  switch (kind) {
    case "choice":
      return <ChoiceInput {...props} />;
    case "text":
      return <TextInput {...props} />;
    case "number":
      return <NumberInput {...props} />;
    case "boolean":
      return <BooleanInput {...props} />;
    case "list":
      return choicesOfItems(props.schema, props.form.root) ? (
        <ChoicesInput {...props} />
      ) : (
        <ListInput {...props} />
      );
    case "object":
      return <ObjectInput {...props} />;
    case "map":
      return <MapInput {...props} />;
    case "variants":
      return <VariantInput {...props} />;
    case "null":
    case "json":
      return <JsonInput {...props} />;
  }
}

/** Whether a list holds some of a few values, each of which is ticked. */
function choicesOfItems(schema: Schema, root: Schema): boolean {
  return kindOf(schema) === "list" && choicesOf(resolve(schema["items"], root)) !== undefined;
}
