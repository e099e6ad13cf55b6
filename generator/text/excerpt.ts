/** A text for a message: whole where it is short, else its beginning and an ellipsis. */
export function excerpt(text: string, longest = 60): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
