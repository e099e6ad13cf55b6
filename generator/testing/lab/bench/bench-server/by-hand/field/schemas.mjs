import { z } from "zod";

/** The tools of the shop, as `registerTool` of both SDKs takes them. */
export const definitions = {
  search_products: {
    description: "Finds products.",
    inputSchema: z.object({
      query: z.string().min(1).max(100).describe("Words"),
      limit: z.number().int().min(1).max(50).default(5).describe("Most products"),
    }),
  },
  get_user_cart: {
    description: "Reads the cart of a user.",
    inputSchema: z.object({ user: z.string().min(1).max(40).describe("Id") }),
  },
  checkout: {
    description: "Orders what is in the cart.",
    inputSchema: z.object({
      user: z.string().min(1).max(40).describe("Id"),
      items: z.array(z.string()).min(1).max(20).describe("Products"),
    }),
  },
};
