/** A text for a message, cut with an ellipsis after `longest` UTF-16 units. */
export function excerpt(text: string, longest = 60): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
