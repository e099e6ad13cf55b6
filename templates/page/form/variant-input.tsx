import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visible } from "../content/visible-text.js";
import { texts } from "../texts.js";
import type { InputProps } from "./field-props.js";
import { FormValidator } from "./problems.js";
import { initialVariant, variantsOf, type Variant } from "./schema.js";

/** An input for one of several schemas: the choice of the schema, then its fields. */
export function VariantInput(props: InputProps): JSX.Element {
  const { form, value, onChange } = props;
  const variants = variantsOf(props.schema, form.root) ?? [];
  const [selected, setSelected] = useState(() => {
    if (value === undefined) return props.isRequired ? 0 : undefined;
    const accepts = ({ schema }: Variant): boolean =>
      new FormValidator(schema, form.root).accepts(value);
    return Math.max(0, variants.findIndex(accepts));
  });
  const variant = selected === undefined ? undefined : variants[selected];
  const problems =
    variant === undefined || value === undefined
      ? form.problems
      : new FormValidator(variant.schema, form.root).problemsOf(value, props.pointer);
  const choose = (index: number | undefined): void => {
    setSelected(index);
    const schema = index === undefined ? undefined : variants[index]?.schema;
    onChange(schema === undefined ? undefined : initialVariant(schema, form.root));
  };
  return (
    <>
      <div class="field">
        <label for={props.id}>{texts.variant}</label>
        <select
          id={props.id}
          value={selected === undefined ? "" : String(selected)}
          onChange={({ currentTarget }) =>
            choose(currentTarget.value === "" ? undefined : Number(currentTarget.value))
          }
        >
          {!props.isRequired && <option value="">{texts.notSet}</option>}
          {variants.map(({ title }, index) => (
            <option key={index} value={String(index)}>
              {visible(title)}
            </option>
          ))}
        </select>
      </div>
      {variant !== undefined && (
        <form.Field
          {...{ value, onChange }}
          form={{ ...form, problems }}
          key={selected}
          schema={variant.schema}
          name={variant.title}
          pointer={props.pointer}
          isRequired
        />
      )}
    </>
  );
}
