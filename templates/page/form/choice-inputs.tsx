import type { JSX } from "preact";
import { Text } from "../content/text.js";
import { visible } from "../content/visible-text.js";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";
import { attributesOf } from "./simple-inputs.js";
import { choicesOf, resolve, type Choice } from "./schema.js";

/** A list to choose one of several values. */
export function ChoiceInput(props: InputProps): JSX.Element {
  const choices = choicesOf(props.schema) ?? [];
  const selectedIndex = choices.findIndex((choice) => isSame(choice, props.value));
  return (
    <select
      {...attributesOf(props)}
      value={selectedIndex === -1 ? "" : String(selectedIndex)}
      onChange={({ currentTarget: { value } }) =>
        props.onChange(value === "" ? undefined : choices[Number(value)]?.value)
      }
    >
      <option value="">{texts.notSet}</option>
      {choices.map(({ title }, index) => (
        <option key={index} value={String(index)}>
          {visible(title)}
        </option>
      ))}
    </select>
  );
}

/** Checkboxes for some of several values. */
export function ChoicesInput(props: InputProps): JSX.Element {
  const choices = choicesOf(resolve(props.schema["items"], props.form.root)) ?? [];
  const selectedValues: readonly unknown[] = Array.isArray(props.value) ? props.value : [];
  const toggle = (choice: Choice, isChecked: boolean): void => {
    const checked = choices.filter((other) =>
      other === choice ? isChecked : selectedValues.some((value) => isSame(other, value)),
    );
    const isAbsent = checked.length === 0 && !props.isRequired;
    props.onChange(isAbsent ? undefined : checked.map(({ value }) => value));
  };
  return (
    <div class="choices">
      {choices.map((choice, index) => (
        <label key={index} class="tick">
          <input
            type="checkbox"
            checked={selectedValues.some((value) => isSame(choice, value))}
            onChange={(event) => toggle(choice, event.currentTarget.checked)}
          />
          <Text>{choice.title}</Text>
        </label>
      ))}
    </div>
  );
}

function isSame(choice: Choice, value: unknown): boolean {
  return value !== undefined && JSON.stringify(choice.value) === JSON.stringify(value);
}
