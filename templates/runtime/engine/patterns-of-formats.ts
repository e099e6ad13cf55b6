const OTHER_DAY = String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8]))`;
const DAY = String.raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|${OTHER_DAY})`;
const SECONDS = String.raw`[0-5]\d(?:\.\d+)?`;
const OFFSETS = ["", String.raw`|([+-]\d{2}:\d{2})`, String.raw`|([+-](?:[01]\d|2[0-3]):[0-5]\d)`];
const UUID =
  "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}";
const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";
const NO_UUID = "00000000-0000-0000-0000-000000000000";
const GROUP = "[0-9a-fA-F]{1,4}";
const EARLIER_GROUPS = [5, 4, 3, 2].map(
  (most) => `(${GROUP}:){1,${most}}(:${GROUP}){1,${7 - most}}`,
);

/** The patterns that zod writes beside a format, from 4.0 to 4.6, without those of narrower formats, such as uuidv4. */
const PATTERNS_OF_ZOD: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    date: [`^${DAY}$`],
    "date-time": OFFSETS.flatMap((offset) =>
      [`(?::${SECONDS})?`, `:${SECONDS}`].map(
        (seconds) => String.raw`^${DAY}T(?:(?:[01]\d|2[0-3]):[0-5]\d${seconds}(?:Z${offset}))$`,
      ),
    ),
    time: [String.raw`^(?:[01]\d|2[0-3]):[0-5]\d(?::${SECONDS})?$`],
    duration: [
      String.raw`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`,
    ],
    email: [
      String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
      String.raw`^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
    ],
    hostname: [
      String.raw`^(?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`,
    ],
    ipv4: [String.raw`^(?:${BYTE}\.){3}${BYTE}$`],
    ipv6: [
      `^((${GROUP}:){7}${GROUP}|::|(${GROUP})?::(${GROUP}:?){0,6})$`,
      `^((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|(${GROUP}:){1,6}:${GROUP}|${EARLIER_GROUPS.join("|")}|${GROUP}:((:${GROUP}){1,6})|:((:${GROUP}){1,7}|:))$`,
    ],
    uuid: [
      `^(${UUID}|${NO_UUID})$`,
      `^(${UUID}|${NO_UUID}|ffffffff-ffff-ffff-ffff-ffffffffffff)$`,
      "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
    ],
  }).map(([format, patterns]) => [format, new Set(patterns)]),
);

/** True if a pattern says only what the format beside it says, since a library of schemas writes both for the format. */
export function isPatternOfFormat(pattern: string, format: string): boolean {
  return PATTERNS_OF_ZOD.get(format)?.has(pattern) === true;
}
