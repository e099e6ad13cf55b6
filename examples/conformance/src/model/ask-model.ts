import type { ToolContext } from "../generated/index.ts";

/** The text that the client's model answers to a prompt. */
export async function askModel(ctx: ToolContext<"test_sampling">, prompt: string): Promise<string> {
  const { content } = await ctx.sample({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
  return content.type === "text" ? content.text : content.type;
}
