const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The number of members and items that a request may have in addition to its arguments. */
const envelope = 64;

/**
 * Whether a JSON text has more array items and object members than `elements`. It scans the bytes only, since
 * parsing a text with very many members would block the process for longer.
 */
export function holdsMoreThan(json: Buffer, elements: number): boolean {
  const most = elements + envelope;
  if (json.length < 2 * most) return false;
  let commas = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === comma && ++commas >= most) return true;
    if (byte === quote) at = endOfString(json, at + 1);
  }
  return false;
}

/** The index of the quote that ends a string. @param start The index of its first character */
function endOfString(json: Buffer, start: number): number {
  for (let at = start; ; at++) {
    at = json.indexOf(quote, at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
