import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { Text } from "../content/text.js";
import { texts } from "../texts.js";
import { ChoiceInput, ChoicesInput } from "./choice-inputs.js";
import { JsonInput } from "./json-input.js";
import { ListInput, MapInput, ObjectInput } from "./nested-inputs.js";
import type { FieldProps, InputProps } from "./field-props.js";
import { constraintsOf, wordsOf } from "./problems.js";
import {
  choicesOf,
  kindOf,
  resolve,
  textOf,
  withoutNull,
  type FieldKind,
  type Schema,
} from "./schema.js";
import { BooleanInput, isInexact, mustBeSaid, NumberInput, TextInput } from "./simple-inputs.js";
import { VariantInput } from "./variant-input.js";

/** Kinds whose parts have labels of their own, so that a legend names them together. */
const grouping: ReadonlySet<FieldKind> = new Set(["list", "object", "map", "variants"]);

/** A value with its name, what is known of it, and what is wrong with it. */
export function Field(props: FieldProps): JSX.Element {
  const schema = resolve(props.schema, props.form.root);
  const other = withoutNull(schema, props.form.root);
  if (other === undefined) return <ResolvedField {...props} schema={schema} />;
  // What is not filled in is null where it cannot be left out.
  const empty = props.isRequired || schema["default"] === null ? null : undefined;
  return (
    <Field
      {...props}
      schema={other}
      value={props.value ?? undefined}
      isRequired={false}
      onChange={(value) => props.onChange(value ?? empty)}
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

/** What a value must be, beside what its input says by itself. */
function hintOf(schema: Schema, kind: FieldKind): string {
  const isInteger = kind === "number" && schema["type"] === "integer";
  // Who has to fill in a text knows that it has a character.
  const { minLength, ...rest } = schema;
  const constraints = kind === "choice" ? [] : constraintsOf(minLength === 1 ? rest : schema);
  const { examples } = schema;
  const given: readonly unknown[] = Array.isArray(examples) ? examples.slice(0, 3) : [];
  return [
    ...(isInteger ? [texts.integer] : []),
    ...constraints,
    ...(given.length === 0 ? [] : [texts.examples(given)]),
  ].join(", ");
}

function problemOf(
  { form, place, value, schema }: FieldProps & { readonly schema: Schema },
  kind: FieldKind,
): string | undefined {
  const problem = form.problems.get(place);
  if (problem === undefined) return undefined;
  if (value === undefined) return form.showsMissing ? texts.isRequired : undefined;
  // The fields of the one that was chosen say what is wrong.
  if (kind === "variants") return undefined;
  if (kind === "number" && isInexact(value)) return texts.inexactNumber;
  return wordsOf(problem, schema);
}

function Labelled(props: {
  readonly kind: FieldKind;
  readonly props: InputProps;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, name, schema, isRequired, describedBy, isInvalid, form } = props.props;
  const label = <Text>{textOf(schema, "title") ?? name}</Text>;
  const marks = <Marks schema={schema} isRequired={isRequired} />;
  if (grouping.has(props.kind) || choicesOfItems(schema, form.root)) {
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
  const isTicked = props.kind === "boolean" && mustBeSaid(schema, isRequired);
  return (
    <div class={isTicked ? "field ticked" : "field"}>
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

/** What is said of a value beside its name. */
function Marks(props: { readonly schema: Schema; readonly isRequired: boolean }): JSX.Element {
  return (
    <>
      {props.isRequired && <RequiredMark />}
      {props.schema["readOnly"] === true && <span class="mark">{texts.readOnly}</span>}
      {props.schema["deprecated"] === true && <span class="mark">{texts.deprecated}</span>}
    </>
  );
}

/** Screen readers have it from the input. */
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

/** Whether a list holds some of a few values, each of which is ticked. */
function choicesOfItems(schema: Schema, root: Schema): boolean {
  return kindOf(schema, root) === "list" && choicesOf(resolve(schema["items"], root)) !== undefined;
}
