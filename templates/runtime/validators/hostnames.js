/** Formats of host names and of email addresses that no regular expression can check. */

/**
 * @param {string} text
 */
export function isHostname(text) {
  return /^[\x21-\x7e]+$/.test(text) && isInternationalHostname(text);
}

/**
 * RFC 5890: labels of letters, digits and hyphens, or of what IDNA allows, in either form.
 *
 * @param {string} text
 */
export function isInternationalHostname(text) {
  if (text.length > 1000) return false;
  const labels = text.toLowerCase().split(/[.\u3002\uff0e\uff61]/);
  const decoded = labels.map((label) =>
    label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label,
  );
  const areLabels = decoded.every((label, index) => {
    if (label === undefined) return false;
    if (!/^[\x00-\x7f]*$/.test(label)) return isUnicodeLabel(label);
    return label === labels[index] && /^(?!..--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label);
  });
  if (!areLabels) return false;
  const isBidi = decoded.some((label) =>
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
      (label ?? "").replace(/\p{Nd}/gu, ""),
    ),
  );
  if (isBidi && !decoded.every((label) => isBidiLabel(label ?? ""))) return false;
  try {
    // ASCII labels are not converted, since a number alone would be parsed as an IP address.
    const encoded = labels.map((label) =>
      /^[\x00-\x7f]*$/.test(label) ? label : new URL(`http://${label}`).hostname,
    );
    return encoded.every((label) => label.length <= 63) && encoded.join(".").length <= 253;
  } catch {
    return false;
  }
}

/**
 * RFC 6531.
 *
 * @param {string} text
 */
export function isInternationalEmail(text) {
  const local =
    /^(?:[^\s"(),.:;<>@[\\\]\x00-\x1f\x7f]+(?:\.[^\s"(),.:;<>@[\\\]\x00-\x1f\x7f]+)*|"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*")@/u;
  const name = local.exec(text)?.[0];
  return name !== undefined && isInternationalHostname(text.slice(name.length));
}

/**
 * Decodes the part of a label after `xn--` (RFC 3492); undefined if it is invalid.
 *
 * @param {string} encoded
 */
function decodePunycode(encoded) {
  const delimiter = encoded.lastIndexOf("-");
  if (delimiter === 0) return undefined;
  const output = [...encoded.slice(0, Math.max(delimiter, 0))];
  let code = 128;
  let bias = 72;
  let index = 0;
  let position = delimiter + 1;
  while (position < encoded.length) {
    const before = index;
    let weight = 1;
    for (let step = 36; ; step += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(encoded.charAt(position) || "?");
      position += 1;
      if (digit < 0) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    bias = 0;
    for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return undefined;
    output.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return output.join("");
}

/**
 * Whether a lower-case label with other characters than ASCII is valid (RFC 5892).
 *
 * @param {string} label
 */
function isUnicodeLabel(label) {
  const letters =
    /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d-]+$/u;
  if (!letters.test(label) || /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\p{Me}]/u.test(label))
    return false;
  if (/^\p{M}|^-|-$|^..--/u.test(label)) return false;
  if (/(?<!l)\u00b7|\u00b7(?!l)|\u0375(?!\p{Script=Greek})/u.test(label)) return false;
  if (/(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u.test(label)) return false;
  if (
    label.includes("\u30fb") &&
    !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)
  )
    return false;
  // Joiners are allowed after a virama; the non-joiner also between joining letters.
  const viramas =
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0f84\u1039\u103a\u17d2\u1a60\u1b44\u1baa\u1bab\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed";
  const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
  return [...label].every((character, index, all) => {
    if (character !== "\u200c" && character !== "\u200d") return true;
    const before = all[index - 1] ?? "-";
    if (viramas.includes(before)) return true;
    return character === "\u200c" && joining.test(before) && joining.test(all[index + 1] ?? "");
  });
}

/**
 * Checks the rules of RFC 5893 for labels in scripts that are written from right to left.
 *
 * @param {string} label
 */
function isBidiLabel(label) {
  const rightToLeft =
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  const [first = ""] = label;
  const letters = [...label].filter((character) => !/\p{Nd}/u.test(character));
  if (/\p{Nd}/u.test(first)) return false;
  if (!rightToLeft.test(first)) return !letters.some((letter) => rightToLeft.test(letter));
  const others = letters.some((letter) => /\p{L}/u.test(letter) && !rightToLeft.test(letter));
  return !others && !(/[\u0660-\u0669]/.test(label) && /[0-9\u06f0-\u06f9]/.test(label));
}
