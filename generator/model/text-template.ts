/**
 * The parsed form of a text with `{{argument}}` placeholders and sections. It is rendered once from left to
 * right; placeholders in the values of arguments are not replaced again.
 */
export type TextTemplate = readonly TextPart[];
export type TextPart =
  | string
  | { readonly argument: string }
  | { readonly when: string; readonly then: TextTemplate }
  | { readonly unless: string; readonly then: TextTemplate };
