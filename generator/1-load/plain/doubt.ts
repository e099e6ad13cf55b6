/** Thrown, without a stack, where the text is not plain: the library reads it instead. */
export const DOUBT = Symbol("not plain YAML");

export function doubt(): never {
  throw DOUBT;
}
