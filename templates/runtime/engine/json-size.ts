const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** A request has these beside its arguments. */
const envelope = 64;

/**
 * Whether a JSON text has more array items and object members than so many. It looks at the bytes
 * only, since parsing a text of very many members blocks everybody for longer than refusing it.
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

/** Where the string ends that started before this place. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start; ; at++) {
    at = json.indexOf(quote, at);
    if (at === -1) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
