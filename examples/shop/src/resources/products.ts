import type { ResourceHandler } from "../generated/index.ts";

/** All products. Clients that subscribe are told of each change in the database. */
export const products: ResourceHandler<"products"> = async (_uri, ctx) => {
  const answer = await ctx.databases.shop.query(
    "select id, name, price, stock from products order by id",
    [],
    { maxRows: 1000, numbers: ["price"] },
  );
  return JSON.stringify(answer.rows());
};
