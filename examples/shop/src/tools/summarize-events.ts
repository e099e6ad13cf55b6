import { ToolError, type ToolHandler } from "../generated/index.ts";

/**
 * What has happened to a product, in the words of the client's model.
 *
 * The model is asked while the call waits. Since 2026-07-28 a server may not ask it at any other time: each
 * question is part of the answer to a request of the client's, who can see what it is for and who pays. So a new
 * event in the database is no reason to ask. What a server does instead is to say that something has changed, as
 * `shop://products` does for whoever has subscribed, and to leave it to the client when to call this tool.
 */
export const summarizeEvents: ToolHandler<"summarize_events"> = async ({ product }, ctx) => {
  const events = await ctx.databases.shop.query(
    "select at, what from events where product = $1 order by at desc",
    [product],
  );
  const [list] = events.content();
  if (events.rows<unknown[]>().length === 0) {
    throw new ToolError(`Nothing has happened to the product ${product}.`);
  }
  const { content } = await ctx.sample({
    messages: [
      { role: "user", content: list?.type === "text" ? list : { type: "text", text: "" } },
    ],
    systemPrompt: "Summarize these events of a product of a shop in two sentences.",
    maxTokens: 200,
  });
  return content.type === "text" ? content.text : content;
};
