import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import { visible } from "../content/visible-text.js";
import { withConditions } from "./conditions.js";
import type { InputProps } from "./field-props.js";
import { memberPointer } from "./problems.js";
import {
  asObject,
  elementSchemas,
  initialValue,
  memberSchema,
  requiredOf,
  takesMembers,
  textOf,
} from "./schema.js";

/** Fields for each property. An optional object is absent until the user adds it. */
export function ObjectInput(props: InputProps): JSX.Element {
  const { form, pointer, onChange, value } = props;
  const name = textOf(props.schema, "title") ?? props.name;
  if (value === undefined && !props.isRequired) {
    return (
      <AddButton name={name} onAdd={() => onChange(initialValue(props.schema, form.root, true))} />
    );
  }
  const schema = withConditions(props.schema, value, form.root);
  const members = asObject(value);
  const required = new Set(requiredOf(schema));
  const change = (key: string, memberValue: unknown): void =>
    onChange(withMember(members, key, memberValue));
  return (
    <div class="nested">
      {Object.entries(asObject(schema["properties"])).map(([key, property]) => (
        <form.Field
          key={key}
          form={form}
          schema={property}
          name={key}
          pointer={memberPointer(pointer, key)}
          value={Object.hasOwn(members, key) ? members[key] : undefined}
          isRequired={required.has(key)}
          onChange={(memberValue) => change(key, memberValue)}
        />
      ))}
      {takesMembers(schema) && <Members {...props} schema={schema} />}
      {!props.isRequired && (
        <button type="button" class="quiet whole" onClick={() => onChange(undefined)}>
          {texts.remove(visible(name))}
        </button>
      )}
    </div>
  );
}

/** Copies the object with another value of a member, or without the member if the value is undefined. */
function withMember(
  object: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(object).filter(([name]) => name !== key);
  return Object.fromEntries(value === undefined ? entries : [...entries, [key, value]]);
}

/** An object whose member names the user chooses. */
export function MapInput(props: InputProps): JSX.Element {
  return (
    <div class="nested">
      <Members {...props} />
    </div>
  );
}

/** The members that no property describes. */
function Members(props: InputProps): JSX.Element {
  const { form, schema, pointer, onChange, id } = props;
  const [name, setName] = useState("");
  const object = asObject(props.value);
  const properties = asObject(schema["properties"]);
  const members = Object.entries(object).filter(([key]) => !Object.hasOwn(properties, key));
  const isUnused = name !== "" && !Object.hasOwn(object, name) && !Object.hasOwn(properties, name);
  const isAllowed = memberSchema(schema, name) !== false;
  const add = (): void => {
    const value = initialValue(memberSchema(schema, name), form.root, true) ?? null;
    onChange({ ...object, [name]: value });
    setName("");
  };
  return (
    <>
      {members.map(([key, value]) => (
        <div class="removable" key={key}>
          <form.Field
            form={form}
            schema={memberSchema(schema, key)}
            name={key}
            pointer={memberPointer(pointer, key)}
            value={value ?? undefined}
            isRequired
            onChange={(memberValue) => onChange({ ...object, [key]: memberValue ?? null })}
          />
          <RemoveButton name={key} onRemove={() => onChange(withMember(object, key, undefined))} />
        </div>
      ))}
      <div class="new-member">
        <div class="field">
          <label for={`${id}-new`}>{texts.memberName}</label>
          <input
            id={`${id}-new`}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <button type="button" disabled={!isUnused || !isAllowed} onClick={add}>
          {texts.addMember}
        </button>
      </div>
    </>
  );
}

/** Elements that can be added and removed. Each keeps its fields when another one is removed. */
export function ListInput(props: InputProps): JSX.Element {
  const { form, schema, pointer, onChange } = props;
  const values: readonly unknown[] = Array.isArray(props.value) ? props.value : [];
  const [keys, setKeys] = useState(() => values.map(newKey));
  const { first, others } = elementSchemas(schema);
  const schemaAt = (index: number): unknown => (index < first.length ? first[index] : others);
  const add = (): void => {
    const initial = values.length === 0 ? (initialValue(schema, form.root, true) as unknown[]) : [];
    const extended = [...values, initialValue(schemaAt(values.length), form.root, true) ?? null];
    const newValues = Array.isArray(initial) && initial.length > 0 ? initial : extended;
    setKeys(newValues.map((_value, index) => keys[index] ?? newKey()));
    onChange(newValues);
  };
  const remove = (index: number): void => {
    setKeys(keys.filter((_key, other) => other !== index));
    const remaining = values.filter((_value, other) => other !== index);
    onChange(remaining.length === 0 && !props.isRequired ? undefined : remaining);
  };
  return (
    <div class="nested">
      {values.map((value, index) => (
        <div class="removable" key={keys[index] ?? index}>
          <form.Field
            form={form}
            schema={schemaAt(index)}
            name={texts.item(index + 1)}
            pointer={memberPointer(pointer, index)}
            value={value ?? undefined}
            isRequired
            onChange={(element) => onChange(values.with(index, element ?? null))}
          />
          <RemoveButton name={texts.item(index + 1)} onRemove={() => remove(index)} />
        </div>
      ))}
      {(others !== false || values.length < first.length) && (
        <button type="button" class="add" onClick={add}>
          {texts.addItem}
        </button>
      )}
    </div>
  );
}

let lastKey = 0;

function newKey(): number {
  return ++lastKey;
}

function AddButton(props: { readonly name: string; readonly onAdd: () => void }): JSX.Element {
  return (
    <button type="button" class="add" onClick={props.onAdd}>
      {texts.add(visible(props.name))}
    </button>
  );
}

function RemoveButton(props: {
  readonly name: string;
  readonly onRemove: () => void;
}): JSX.Element {
  const label = texts.remove(visible(props.name));
  return (
    <button
      type="button"
      class="quiet remove"
      aria-label={label}
      title={label}
      onClick={props.onRemove}
    >
      <span aria-hidden="true">✕</span>
    </button>
  );
}
