import type { JSX } from "preact";
import { useId, useMemo, useRef, useState } from "preact/hooks";
import { texts } from "../texts.js";
import { Field } from "./field.js";
import type { FormContext, InputProps } from "./field-props.js";
import { JsonInput } from "./json-input.js";
import { MapInput, ObjectInput } from "./nested-inputs.js";
import { FormValidator } from "./problems.js";
import { asObject, initialValue, kindOf, resolve, type Schema } from "./schema.js";
import { VariantInput } from "./variant-input.js";

export interface SchemaFormProps {
  readonly schema: Schema;
  /** Values at first, beside those that the schema states. */
  readonly values?: Values | undefined;
  /** The text of the submit button. */
  readonly action: string;
  /** Whether the user may write the values as JSON, and send values that the schema does not accept. */
  readonly isFree: boolean;
  /** Whether the form cannot be sent now. Its button keeps the focus meanwhile. */
  readonly isBusy: boolean;
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => void;
  /** Further buttons. */
  readonly children?: JSX.Element | undefined;
}

/** Selects invalid inputs. The problem of a group is corrected in one of its inputs or buttons. */
const firstInvalid =
  "[aria-invalid=true], [data-invalid=true] :is(input, select, textarea, button)";

type Values = Readonly<Record<string, unknown>>;

/** A form made from the schema of an object. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const root = props.schema;
  const schema = useMemo(() => resolve(root, root), [root]);
  const validator = useMemo(() => new FormValidator(root), [root]);
  const [values, setValues] = useState((): Values => ({
    ...asObject(initialValue(root, root, true)),
    ...props.values,
  }));
  const [showsMissing, setShowsMissing] = useState(false);
  const [isJson, setJson] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const problems = useMemo(() => validator.problemsOf(values), [validator, values]);
  const form: FormContext = { root, problems, showsMissing, Field };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (props.isBusy) return;
    setShowsMissing(true);
    if (problems.size === 0 && !hasBrokenJson(element.current)) return props.onSubmit(values);
    // After the fields have been rendered with their problems.
    setTimeout(() => element.current?.querySelector<HTMLElement>(firstInvalid)?.focus());
  };
  return (
    <form ref={element} class="schema-form" noValidate>
      {isJson ? (
        <JsonValues {...{ form, values, setValues }} />
      ) : (
        <Inputs {...{ schema, form, values, setValues }} />
      )}
      <div class="actions">
        {/* Where a frame may send no forms, there is no event of the form. The key Enter clicks the button, too. */}
        <button type="submit" class="primary" aria-disabled={props.isBusy} onClick={submit}>
          {props.action}
        </button>
        {props.children}
        {props.isFree && takesArguments(schema) && (
          <button type="button" class="quiet" onClick={() => setJson(!isJson)}>
            {isJson ? texts.asForm : texts.asJson}
          </button>
        )}
      </div>
      <div role="status" class="status-line">
        {showsMissing && problems.size > 0 && (
          <p class="problem summary">
            {texts.problems(problems.size)} {problems.get("")?.error}{" "}
            {props.isFree && (
              <button
                type="button"
                class="quiet"
                disabled={props.isBusy}
                onClick={() => props.onSubmit(values)}
              >
                {texts.callAnyway}
              </button>
            )}
          </p>
        )}
      </div>
    </form>
  );
}

function takesArguments(schema: Schema): boolean {
  const { properties, additionalProperties } = schema;
  return Object.keys(asObject(properties)).length > 0 || additionalProperties !== false;
}

/** Whether a field contains invalid JSON, which is not part of the values. */
function hasBrokenJson(form: HTMLFormElement | null): boolean {
  return form?.querySelector("textarea.mono[aria-invalid=true]") !== null;
}

interface PartProps {
  readonly form: FormContext;
  readonly values: Values;
  readonly setValues: (values: Values) => void;
}

function Inputs(props: PartProps & { readonly schema: Schema }): JSX.Element {
  const { schema, form, values, setValues } = props;
  const id = useId();
  const inputProps: InputProps = {
    ...{ form, schema, id, pointer: "", name: texts.arguments, value: values, isRequired: true },
    ...{ describedBy: undefined, isInvalid: false },
    onChange: (value) => setValues(asObject(value)),
  };
  switch (kindOf({ ...schema, type: "object" }, form.root)) {
    case "object":
      return takesArguments(schema) ? (
        <ObjectInput {...inputProps} />
      ) : (
        <p class="hint">{texts.noArguments}</p>
      );
    case "map":
      return <MapInput {...inputProps} />;
    case "variants":
      return <VariantInput {...inputProps} />;
    default:
      return schema["additionalProperties"] === undefined ? (
        <p class="hint">{texts.noArguments}</p>
      ) : (
        <JsonValues {...{ form, values, setValues }} />
      );
  }
}

/** All values at once, as JSON. */
function JsonValues({ form, values, setValues }: PartProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        <span class="name">{texts.arguments}</span>
      </label>
      <JsonInput
        {...{ form, pointer: "", schema: {}, name: texts.arguments, id }}
        value={values}
        isRequired={false}
        describedBy={undefined}
        isInvalid={false}
        onChange={(value) => setValues(asObject(value))}
      />
      {form.showsMissing && (
        <p class="problem">
          {[...form.problems]
            .map(([pointer, { error }]) => `${pointer || "/"}: ${error}`)
            .join("\n")}
        </p>
      )}
    </div>
  );
}
