import type { JSX } from "preact";
import { useId, useMemo, useRef, useState } from "preact/hooks";
import { texts } from "../texts.js";
import { Field, type FormContext } from "./field.js";
import { JsonInput } from "./json-input.js";
import { Judge, placeIn } from "./problems.js";
import { asObject, initialValue, requiredOf, resolve, type Schema } from "./schema.js";

export interface SchemaFormProps {
  readonly schema: Schema;
  /** What the button says that sends the form. */
  readonly action: string;
  /** Whether the values may be written as JSON, and sent although the schema does not accept them. */
  readonly isFree: boolean;
  /** Whether sending has to wait. */
  readonly isBusy: boolean;
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => void;
  /** Further buttons. */
  readonly children?: JSX.Element | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** A form made from the schema of an object. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const root = props.schema;
  const schema = useMemo(() => resolve(root, root), [root]);
  const judge = useMemo(() => new Judge(root), [root]);
  const [values, setValues] = useState(() => asObject(initialValue(root, root, true)));
  const [showsMissing, setShowsMissing] = useState(false);
  const [isJson, setJson] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const problems = useMemo(() => judge.problemsOf(values), [judge, values]);
  const form: FormContext = { root, problems, showsMissing };
  const submit = (event: Event): void => {
    event.preventDefault();
    setShowsMissing(true);
    if (problems.size === 0 && !hasBrokenJson(element.current)) return props.onSubmit(values);
    // Not before the fields have been drawn with what is wrong with them.
    setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return (
    <form ref={element} class="schema-form" noValidate onSubmit={submit}>
      {isJson ? (
        <JsonValues {...{ form, values, setValues }} />
      ) : (
        <Properties {...{ schema, form, values, setValues }} />
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={props.isBusy}>
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

/** Whether a field holds what is no JSON yet, of which the values know nothing. */
function hasBrokenJson(form: HTMLFormElement | null): boolean {
  return form?.querySelector("textarea.mono[aria-invalid=true]") !== null;
}

interface PartProps {
  readonly form: FormContext;
  readonly values: Values;
  readonly setValues: (values: Values) => void;
}

function Properties(props: PartProps & { readonly schema: Schema }): JSX.Element {
  const { schema, form, values, setValues } = props;
  const properties = Object.entries(asObject(schema["properties"]));
  const required = new Set(requiredOf(schema));
  const isOpen = properties.length === 0 && schema["additionalProperties"] !== false;
  if (isOpen && schema["type"] !== undefined && schema["additionalProperties"] !== undefined) {
    return <JsonValues {...{ form, values, setValues }} />;
  }
  if (properties.length === 0) return <p class="hint">{texts.noArguments}</p>;
  return (
    <>
      {properties.map(([name, property]) => (
        <Field
          key={name}
          form={form}
          schema={property}
          name={name}
          place={placeIn("", name)}
          value={Object.hasOwn(values, name) ? values[name] : undefined}
          isRequired={required.has(name)}
          onChange={(value) => {
            const others = Object.entries(values).filter(([other]) => other !== name);
            setValues(
              Object.fromEntries(value === undefined ? others : [...others, [name, value]]),
            );
          }}
        />
      ))}
    </>
  );
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
        {...{ form, place: "", schema: {}, name: texts.arguments, id }}
        value={values}
        isRequired={false}
        describedBy={undefined}
        isInvalid={false}
        onChange={(value) => setValues(asObject(value))}
      />
      {form.showsMissing && (
        <p class="problem">
          {[...form.problems].map(([place, { error }]) => `${place || "/"}: ${error}`).join("\n")}
        </p>
      )}
    </div>
  );
}
