/** A value after it was written as JSON and read again: no functions, and dates as text. */
export type AsJson<Value> = Value extends { toJSON(): infer Json }
  ? Json
  : Value extends (...parameters: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: AsJson<Value[Key]> }
      : Value;

/**
 * Writes the value as JSON and reads it again, so that this run and later ones see the same. @throws
 * TypeError where JSON cannot hold it: BigInt, data that contains itself
 */
export function asJson<Value>(value: Value): AsJson<Value> {
  const text = JSON.stringify(value) as string | undefined;
  return (text === undefined ? undefined : JSON.parse(text)) as AsJson<Value>;
}
