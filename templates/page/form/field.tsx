import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { Name, Text } from "../content/text.js";
import { texts } from "../texts.js";
import { ChoiceInput, ChoicesInput } from "./choice-inputs.js";
import { JsonInput } from "./json-input.js";
import { ListInput, MapInput, ObjectInput } from "./nested-inputs.js";
import type { FieldProps, InputProps } from "./field-props.js";
import { constraintsOf, problemText } from "./problems.js";
import {
  choicesOf,
  kindOf,
  resolve,
  textOf,
  withoutNull,
  type FieldKind,
  type Schema,
} from "./schema.js";
import { BooleanInput, isInexact, isCheckbox, NumberInput, TextInput } from "./simple-inputs.js";
import { VariantInput } from "./variant-input.js";

/** Kinds whose inputs have several labels, so that a legend names the group. */
const groupKinds: ReadonlySet<FieldKind> = new Set(["list", "object", "map", "variants"]);

/** An input with its name, description and problem. */
export function Field(props: FieldProps): JSX.Element {
  const schema = resolve(props.schema, props.form.root);
  const nonNullSchema = withoutNull(schema, props.form.root);
  if (nonNullSchema === undefined) return <ResolvedField {...props} schema={schema} />;
  // An empty value is null if it is required.
  const emptyValue = props.isRequired || schema["default"] === null ? null : undefined;
  return (
    <Field
      {...props}
      schema={nonNullSchema}
      value={props.value ?? undefined}
      isRequired={false}
      onChange={(value) => props.onChange(value ?? emptyValue)}
    />
  );
}

function ResolvedField(props: FieldProps & { readonly schema: Schema }): JSX.Element {
  const { schema, form } = props;
  const id = useId();
  const kind = kindOf(schema, form.root);
  const problem = problemOf(props, kind);
  const description = textOf(schema, "description");
  const hint = hintOf(schema, kind);
  const describedBy = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(hint === "" ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(" ");
  const inputProps: InputProps = {
    ...{ ...props, id },
    describedBy: describedBy === "" ? undefined : describedBy,
    isInvalid: problem !== undefined,
  };
  return (
    <Labelled kind={kind} props={inputProps}>
      {description !== undefined && (
        <p class="description" id={`${id}-description`}>
          <Text>{description}</Text>
        </p>
      )}
      {hint !== "" && (
        <p class="description" id={`${id}-hint`}>
          <Text>{hint}</Text>
        </p>
      )}
      <Input kind={kind} {...inputProps} />
      <p class="problem" id={`${id}-problem`} aria-live="polite">
        {problem !== undefined && <Text>{problem}</Text>}
      </p>
    </Labelled>
  );
}

/** The constraints of a value that its input does not show. */
function hintOf(schema: Schema, kind: FieldKind): string {
  const isInteger = kind === "number" && schema["type"] === "integer";
  // The mark of a required field already shows that its text must not be empty.
  const { minLength, ...others } = schema;
  const constraints = kind === "choice" ? [] : constraintsOf(minLength === 1 ? others : schema);
  const { examples } = schema;
  const firstExamples: readonly unknown[] = Array.isArray(examples) ? examples.slice(0, 3) : [];
  return [
    ...(isInteger ? [texts.integer] : []),
    ...constraints,
    ...(firstExamples.length === 0 ? [] : [texts.examples(firstExamples)]),
  ].join(", ");
}

function problemOf(
  { form, pointer, value, schema }: FieldProps & { readonly schema: Schema },
  kind: FieldKind,
): string | undefined {
  const problem = form.problems.get(pointer);
  if (problem === undefined) return undefined;
  if (value === undefined) return form.showsMissing ? texts.isRequired : undefined;
  // The fields of the chosen variant show its problems.
  if (kind === "variants") return undefined;
  if (kind === "number" && isInexact(value)) return texts.inexactNumber;
  return problemText(problem, schema);
}

function Labelled(props: {
  readonly kind: FieldKind;
  readonly props: InputProps;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, name, schema, isRequired, describedBy, isInvalid, form } = props.props;
  const label = <Name>{textOf(schema, "title") ?? name}</Name>;
  const marks = <Marks schema={schema} isRequired={isRequired} />;
  if (groupKinds.has(props.kind) || choicesOfItems(schema, form.root)) {
    return (
      <fieldset class="field group" aria-describedby={describedBy} data-invalid={isInvalid}>
        <legend class="label">
          <span class="name">{label}</span>
          {marks}
        </legend>
        <div class="group-content">{props.children}</div>
      </fieldset>
    );
  }
  const isTick = props.kind === "boolean" && isCheckbox(schema, isRequired);
  return (
    <div class={isTick ? "field ticked" : "field"}>
      <div class="label">
        <label class="name" for={id}>
          {label}
        </label>
        {marks}
      </div>
      {props.children}
    </div>
  );
}

/** The texts about a value below its name. */
function Marks(props: { readonly schema: Schema; readonly isRequired: boolean }): JSX.Element {
  return (
    <>
      {props.isRequired && <RequiredMark />}
      {props.schema["readOnly"] === true && <span class="mark">{texts.readOnly}</span>}
      {props.schema["deprecated"] === true && <span class="mark">{texts.deprecated}</span>}
    </>
  );
}

/** A visible mark. Screen readers get the information from the input instead. */
export function RequiredMark(): JSX.Element {
  return (
    <span class="mark" aria-hidden="true">
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
    case "json":
      return <JsonInput {...props} />;
  }
}

/** Whether the items of a list are values of an enumeration, which are shown as checkboxes. */
function choicesOfItems(schema: Schema, root: Schema): boolean {
  return kindOf(schema, root) === "list" && choicesOf(resolve(schema["items"], root)) !== undefined;
}
