import { NotFoundError, type ResourceTemplateHandler } from "../generated/index.ts";

/** The columns of a table. */
export const tableSchema: ResourceTemplateHandler<"table_schema"> = async (
  { database, table },
  ctx,
) => {
  const answer = await ctx.databases.shop.query(
    `select column_name as name, data_type as type, is_nullable = 'YES' as nullable
    from information_schema.columns
    where table_schema = 'public' and table_catalog = $1 and table_name = $2
    order by ordinal_position`,
    [database, table],
    { maxRows: 1000 },
  );
  const columns = answer.rows();
  if (columns.length === 0) throw new NotFoundError(`postgres://${database}/${table}/schema`);
  return JSON.stringify(columns);
};
