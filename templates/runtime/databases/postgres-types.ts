import pg from "pg";

/**
 * How values of Postgres become values of JSON. A value without a type in JSON becomes the database's text of it: exact
 * numbers (`int8`, `numeric`), dates and times (in UTC, as ISO 8601), intervals, UUIDs. `bytea` becomes base64.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number) => PARSERS.get(type) ?? asText) as never,
};

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

/** A number; NaN and infinities, which JSON does not have, stay texts. */
const asNumber: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);

/** Converts a time such as `2026-01-31 12:00:00.5+00` to ISO 8601. */
const asTime: Parse = (text) =>
  /^\d{4}-\d\d-\d\d /.test(text) ? text.replace(" ", "T").replace(/\+00$/, "Z") : text;

const asBase64: Parse = (text) =>
  text.startsWith("\\x") ? Buffer.from(text.slice(2), "hex").toString("base64") : text;

/** Types of Postgres: the identifier of the type, the identifier of its array type, and the parser. */
const ELEMENTS: readonly (readonly [type: number, list: number, parse: Parse])[] = [
  [pg.types.builtins.BOOL, 1000, (text) => text === "t"],
  [pg.types.builtins.BYTEA, 1001, asBase64],
  [pg.types.builtins.INT8, 1016, asText],
  [pg.types.builtins.INT2, 1005, asNumber],
  [pg.types.builtins.INT4, 1007, asNumber],
  [pg.types.builtins.TEXT, 1009, asText],
  [pg.types.builtins.OID, 1028, asNumber],
  [pg.types.builtins.JSON, 199, JSON.parse],
  [pg.types.builtins.FLOAT4, 1021, asNumber],
  [pg.types.builtins.FLOAT8, 1022, asNumber],
  [pg.types.builtins.BPCHAR, 1014, asText],
  [pg.types.builtins.VARCHAR, 1015, asText],
  [pg.types.builtins.DATE, 1182, asText],
  [pg.types.builtins.TIMESTAMP, 1115, asTime],
  [pg.types.builtins.TIMESTAMPTZ, 1185, asTime],
  [pg.types.builtins.NUMERIC, 1231, asText],
  [pg.types.builtins.UUID, 2951, asText],
  [pg.types.builtins.JSONB, 3807, JSON.parse],
];

/** Parses an array of Postgres into a list of texts, nested like the array. */
const parseTextArray = pg.types.getTypeParser(1009 as never, "text") as Parse;

function listOf(parse: Parse): Parse {
  const parseNested = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(parseNested);
    return typeof value === "string" ? parse(value) : value;
  };
  return (text) => parseNested(parseTextArray(text));
}

const PARSERS: ReadonlyMap<number, Parse> = new Map(
  ELEMENTS.flatMap(([type, list, parse]) => [
    [type, parse] as const,
    [list, listOf(parse)] as const,
  ]),
);
