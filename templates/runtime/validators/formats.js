/**
 * Formats, most of them regular expressions from the grammar of their specification. Each one matches in linear
 * time.
 */

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const GROUP = "[0-9A-Fa-f]{1,4}";
const LAST_GROUPS = `(?:${GROUP}:${GROUP}|${IPV4})`;
/** RFC 4291, in the form of RFC 3986. */
const IPV6 =
  "(?:" +
  [
    `(?:${GROUP}:){6}${LAST_GROUPS}`,
    `::(?:${GROUP}:){5}${LAST_GROUPS}`,
    `(?:${GROUP})?::(?:${GROUP}:){4}${LAST_GROUPS}`,
    `(?:(?:${GROUP}:){0,1}${GROUP})?::(?:${GROUP}:){3}${LAST_GROUPS}`,
    `(?:(?:${GROUP}:){0,2}${GROUP})?::(?:${GROUP}:){2}${LAST_GROUPS}`,
    `(?:(?:${GROUP}:){0,3}${GROUP})?::${GROUP}:${LAST_GROUPS}`,
    `(?:(?:${GROUP}:){0,4}${GROUP})?::${LAST_GROUPS}`,
    `(?:(?:${GROUP}:){0,5}${GROUP})?::${GROUP}`,
    `(?:(?:${GROUP}:){0,6}${GROUP})?::`,
  ].join("|") +
  ")";

/**
 * The characters of RFC 3986 or RFC 3987.
 *
 * @typedef {object} ResourceCharacters
 * @property {string} letters the characters in addition to the unreserved ones of ASCII
 * @property {string} inQuery the further characters of queries
 * @property {string} flags of the regular expression
 */

/** @type {ResourceCharacters} */
const URI = { letters: "", inQuery: "", flags: "" };

const PLANES = Array.from({ length: 14 }, (_, index) => (index + 1).toString(16).toUpperCase());
/** @type {ResourceCharacters} */
const IRI = {
  letters:
    "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}" +
    PLANES.map((plane) => `\\u{${plane}${plane === "E" ? "1" : "0"}000}-\\u{${plane}FFFD}`).join(
      "",
    ),
  inQuery: "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}",
  flags: "u",
};

/**
 * Makes the expression for a URI or an IRI.
 *
 * @param {ResourceCharacters} characters
 * @param {boolean} isReference whether relative references match, too
 */
function resourceIdentifier({ letters, inQuery, flags }, isReference) {
  const encoded = "%[0-9A-Fa-f]{2}";
  const plain = `A-Za-z0-9\\-._~!$&'()*+,;=${letters}`;
  const character = `(?:[${plain}:@]|${encoded})`;
  const future = "[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+";
  const host = `(?:\\[(?:${IPV6}|${future})\\]|(?:[${plain}]|${encoded})*)`;
  const authority = `(?:(?:[${plain}:]|${encoded})*@)?${host}(?::\\d*)?`;
  const segments = `(?:/${character}*)*`;
  const absolute = `//${authority}${segments}|/(?:${character}+${segments})?`;
  const query = `(?:\\?(?:[${plain}:@/?${inQuery}]|${encoded})*)?`;
  const fragment = `(?:#(?:[${plain}:@/?]|${encoded})*)?`;
  const whole = `[A-Za-z][A-Za-z0-9+\\-.]*:(?:${absolute}|${character}+${segments}|)`;
  const relative = `(?:${absolute}|(?:[${plain}@]|${encoded})+${segments}|)`;
  const either = isReference ? `(?:${whole}|${relative})` : whole;
  return new RegExp(`^${either}${query}${fragment}$`, flags);
}

/** RFC 3339, appendix A. */
const DURATION =
  /^P(?!$)(?:\d+W|(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/;

/** RFC 5321, without addresses whose domain has no dot. */
function emailAddress() {
  const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+";
  const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
  const label = "[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";
  const domain = `(?:(?:${label}\\.)+${label}|\\[(?:${IPV4}|IPv6:${IPV6})\\])`;
  return new RegExp(`^(?:${word}(?:\\.${word})*|${quoted})@${domain}$`);
}

/** RFC 6570, with its errata. */
function uriTemplate() {
  const encoded = "%[0-9A-Fa-f]{2}";
  const literal = `[^\\u{0}-\\u{20}"%<>\\\\^\`{|}\\u{7F}-\\u{9F}]|${encoded}`;
  const character = `(?:[A-Za-z0-9_]|${encoded})`;
  const variable = `${character}+(?:\\.${character}+)*(?::[1-9]\\d{0,3}|\\*)?`;
  return new RegExp(`^(?:${literal}|\\{[+#./;?&]?${variable}(?:,${variable})*\\})*$`, "u");
}

/** As in ajv-formats, but in linear time: without its group for passwords, which matches no further texts. */
function webAddress() {
  const letter = "[a-z0-9\\u{00a1}-\\u{ffff}]";
  const name = `(?:${letter}+-)*${letter}+`;
  const domain = `${name}(?:\\.${name})*\\.[a-z\\u{00a1}-\\u{ffff}]{2,}`;
  const isPublic =
    "(?!(?:10|127)(?:\\.\\d{1,3}){3})(?!(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2})" +
    "(?!172\\.(?:1[6-9]|2\\d|3[0-1])(?:\\.\\d{1,3}){2})";
  const address =
    "(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}" +
    "\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4])";
  const host = `(?:${isPublic}${address}|${domain})`;
  return new RegExp(`^(?:https?|ftp)://(?:\\S+@)?${host}(?::\\d{2,5})?(?:/\\S*)?$`, "iu");
}
export const formatDuration = DURATION;
export const formatEmail = emailAddress();
export const formatIpv4 = new RegExp(`^${IPV4}$`);
export const formatIpv6 = new RegExp(`^${IPV6}$`);
export const formatIri = resourceIdentifier(IRI, false);
export const formatIriReference = resourceIdentifier(IRI, true);
export const formatUri = resourceIdentifier(URI, false);
export const formatUriReference = resourceIdentifier(URI, true);
export const formatJsonPointer = /^(?:\/(?:[^~/]|~0|~1)*)*$/;
export const formatJsonPointerUriFragment =
  /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i;
export const formatRelativeJsonPointer = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/;
// Unlike that of ajv-formats, this expression allows no further lines after the base64.
export const formatByte = /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;
export const formatUriTemplate = uriTemplate();
export const formatUrl = webAddress();
export const formatUuid = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/**
 * Whether a text is a regular expression in the dialect of `pattern`.
 *
 * @param {string} text
 */
export function isRegularExpression(text) {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * @param {number} value
 */
export function isInt32(value) {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/**
 * @param {number} value
 */
export function isInt64(value) {
  return Number.isInteger(value);
}
