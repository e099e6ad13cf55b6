import type { ResourceTemplateCompletion } from "../generated/index.ts";

interface Named {
  readonly name: string;
}

/** Values that clients offer: the names that the database has. */
export const tableSchemaCompletion: ResourceTemplateCompletion<"table_schema"> = {
  database: async ({ value }, ctx) => {
    const answer = await ctx.databases.shop.query(
      "select current_database()::text as name where starts_with(current_database(), $1)",
      [value],
    );
    return answer.rows<Named[]>().map(({ name }) => name);
  },
  table: async ({ value }, ctx) => {
    const answer = await ctx.databases.shop.query(
      `select table_name::text as name from information_schema.tables
      where table_schema = 'public' and starts_with(table_name, $1)
      order by table_name limit 100`,
      [value],
    );
    return answer.rows<Named[]>().map(({ name }) => name);
  },
};
