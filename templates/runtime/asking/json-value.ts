/** The type of a value that was written as JSON and parsed again: no functions, and dates as text. */
export type AsJson<Value> = Value extends { toJSON(): infer Json }
  ? Json
  : Value extends (...parameters: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: AsJson<Value[Key]> }
      : Value;

/**
 * Writes a value as JSON and parses it again, so that this run and later runs get the same value.
 * @throws TypeError if JSON cannot represent it, such as a BigInt or an object that contains itself
 */
export function asJson<Value>(value: Value): AsJson<Value> {
  const text = JSON.stringify(value) as string | undefined;
  return (text === undefined ? undefined : JSON.parse(text)) as AsJson<Value>;
}
