/** Text with `{{argument}}` placeholders, compiled: rendered once from left to right, never re-scanned. */
export type TextTemplate = readonly TextPart[];
export type TextPart =
  | string
  | { readonly argument: string }
  | { readonly when: string; readonly then: TextTemplate }
  | { readonly unless: string; readonly then: TextTemplate };
