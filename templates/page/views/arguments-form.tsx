import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Completion, Connection, Texts } from "../connection/connection.js";
import { Text } from "../content/text.js";
import { RequiredMark } from "../form/field.js";
import { texts } from "../texts.js";

/** An argument of a prompt, or a variable of a template. */
export interface Argument {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
}

export interface ArgumentsFormProps {
  readonly of: Completion["of"];
  readonly arguments: readonly Argument[];
  readonly action: string;
  readonly connection: Connection;
  readonly isBusy: boolean;
  readonly onSubmit: (values: Texts) => void;
}

/** A form with a text input for each argument, and the values that the server suggests. */
export function ArgumentsForm(props: ArgumentsFormProps): JSX.Element {
  const [values, setValues] = useState<Texts>({});
  const [showsMissing, setShowsMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isMissing = ({ name, required }: Argument): boolean =>
    required === true && (values[name] ?? "") === "";
  const submit = (event: Event): void => {
    event.preventDefault();
    if (props.isBusy) return;
    setShowsMissing(true);
    if (!props.arguments.some(isMissing)) return props.onSubmit(values);
    setTimeout(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return (
    <form ref={form} noValidate onSubmit={submit}>
      {props.arguments.length === 0 && <p class="hint">{texts.noArguments}</p>}
      {props.arguments.map((argument) => (
        <ArgumentField
          key={argument.name}
          {...{ argument, values, of: props.of, connection: props.connection }}
          isMissing={showsMissing && isMissing(argument)}
          onChange={(value) => {
            const { [argument.name]: _before, ...others } = values;
            setValues(value === "" ? others : { ...others, [argument.name]: value });
          }}
        />
      ))}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={props.isBusy}>
          {props.action}
        </button>
      </div>
    </form>
  );
}

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly values: Texts;
  readonly of: Completion["of"];
  readonly connection: Connection;
  readonly isMissing: boolean;
  readonly onChange: (value: string) => void;
}

function ArgumentField(props: ArgumentFieldProps): JSX.Element {
  const { argument, isMissing, values } = props;
  const { name, title, description, required } = argument;
  const id = useId();
  const value = values[name] ?? "";
  const suggestions = useSuggestions(props);
  return (
    <div class="field">
      <div class="label">
        <label class="name" for={id}>
          <Text>{title ?? name}</Text>
        </label>
        {required === true && <RequiredMark />}
      </div>
      {description !== undefined && (
        <p class="description" id={`${id}-description`}>
          <Text>{description}</Text>
        </p>
      )}
      <input
        id={id}
        list={`${id}-values`}
        autocomplete="off"
        aria-describedby={`${id}-description ${id}-problem`}
        aria-invalid={isMissing}
        aria-required={required === true}
        value={value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-values`}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
      <p class="problem" id={`${id}-problem`} aria-live="polite">
        {isMissing && texts.isRequired}
      </p>
    </div>
  );
}

/** The time between the last typed key and the request for suggestions, in milliseconds. */
const suggestionDelayMs = 200;

/** Requests the values that the server suggests for the typed text. */
function useSuggestions(props: ArgumentFieldProps): readonly string[] {
  const { argument, values, of, connection } = props;
  const [suggestions, setSuggestions] = useState<readonly string[]>([]);
  const { name } = argument;
  const { [name]: value = "", ...others } = values;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      connection.complete({ of, argument: name, value, others }).then(
        (found) => isCurrent && setSuggestions(found),
        () => isCurrent && setSuggestions([]),
      );
    }, suggestionDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // A change of other arguments alone requests no new suggestions.
  }, [connection, name, value]);
  return suggestions;
}
