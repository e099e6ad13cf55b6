import type {
  AppChart,
  AppColumn,
  AppMember,
  AppView,
} from "../../templates/runtime/apps/app-view.js";
import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import type { ToolModel } from "../model/server-model.js";
import { ownValue } from "../schema/json-schema.js";
import { schemaEntries, statedTypes } from "../schema/keyword-values.js";
import { resolveReference } from "../schema/schema-reference.js";

/** What the page of a tool shows, as its output schema tells. A tool that only reads may be called again from there. */
export function appView({ name, wire, input, output }: ToolModel): AppView {
  const root = output?.wire ?? {};
  const { annotations } = wire;
  const hints = isJsonObject(annotations) ? annotations : {};
  const form = input.shown ?? input.wire;
  const asksAgain = hints["readOnlyHint"] === true && propertiesOf(form, form).length > 0;
  return {
    tool: name,
    title: String(wire["title"] ?? hints["title"] ?? name),
    members: propertiesOf(root, root).map(([key, schema]) => memberOf(key, schema, root)),
    ...(asksAgain && isJsonObject(form) && { form }),
  };
}

function memberOf(name: string, schema: JsonObject, root: JsonSchema): AppMember {
  const { description } = schema;
  const items = statedTypes(schema).includes("array") ? ownValue(schema, "items") : undefined;
  const columns = propertiesOf((items ?? {}) as JsonSchema, root);
  const chart = chartOf(columns);
  return {
    ...columnOf([name, schema]),
    ...(typeof description === "string" && { description }),
    ...(columns.length > 0 && { columns: columns.map(columnOf) }),
    ...(chart !== undefined && { chart }),
  };
}

type Property = readonly [name: string, schema: JsonObject];

const columnOf = ([name, { title }]: Property): AppColumn => ({
  name,
  label: typeof title === "string" && title !== "" ? title : labelOf(name),
});

/** A key in words, `averageLoad` as "Average load"; as it is where it is no identifier. */
function labelOf(name: string): string {
  if (!/^[a-z][\w-]*$/i.test(name)) return name;
  const words = name
    .replace(
      /([a-z0-9])([A-Z])/g,
      (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    )
    .replace(/[_-]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A chart needs exactly one column of numbers, and one of dates or, without dates, one of other texts. */
function chartOf(columns: readonly Property[]): AppChart | undefined {
  const numbers = columns.filter(([, schema]) => isOnly(schema, ["number", "integer"]));
  const texts = columns.filter(([, schema]) => isOnly(schema, ["string"]));
  const dated = texts.filter(([, { format }]) => format === "date" || format === "date-time");
  const axes = dated.length > 0 ? dated : texts;
  const [value, axis] = [numbers[0], axes[0]];
  if (value === undefined || axis === undefined || numbers.length + axes.length > 2)
    return undefined;
  return { value: columnOf(value), axis: columnOf(axis), dates: dated.length > 0 };
}

/** Whether all values that a schema accepts, except null, are of these types. */
function isOnly(schema: JsonObject, allowed: readonly string[]): boolean {
  const types = statedTypes(schema).filter((type) => type !== "null");
  return types.length > 0 && types.every((type) => allowed.includes(String(type)));
}

/** The properties of an object's schema, with their references resolved. */
function propertiesOf(schema: JsonSchema, root: JsonSchema): Property[] {
  const resolved = resolve(schema, root);
  return schemaEntries(ownValue(resolved, "properties")).map(([name, property]) => [
    name,
    resolve(property, root),
  ]);
}

/** The schema that a reference leads to, with what stands beside the reference. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonObject {
  let found = isJsonObject(schema) ? schema : {};
  // References that go in a circle are reported before.
  for (let steps = 0; steps < 16 && typeof found["$ref"] === "string"; steps++) {
    const { $ref: reference, ...beside } = found;
    const target = resolveReference(root, String(reference), () => undefined)?.schema;
    found = { ...(isJsonObject(target) ? target : {}), ...beside };
  }
  return found;
}
