/** A value as it is after its way through JSON: no functions, and dates as text. */
export type AsJson<Value> = Value extends { toJSON(): infer Json }
  ? Json
  : Value extends (...parameters: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: AsJson<Value[Key]> }
      : Value;

/**
 * The value as it will be when it comes back from JSON, so that it is the same now and then.
 * @throws TypeError where JSON has no form of it: BigInt, data that contains itself
 */
export function asJson<Value>(value: Value): AsJson<Value> {
  const text = JSON.stringify(value) as string | undefined;
  return (text === undefined ? undefined : JSON.parse(text)) as AsJson<Value>;
}
