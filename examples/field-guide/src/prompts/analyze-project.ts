import { embeddedText, type PromptHandler } from "../generated/index.ts";

/** 结合日志和代码文件分析一个项目。 */
export const analyzeProject: PromptHandler<"analyze-project"> = async (args, ctx) => {
  const { timeframe, fileUri } = args;
  const log = await ctx.services.workspace.read("logs/app.log");
  const path = fileUri.replace(/^file:\/\/\//, "");
  const file = await ctx.services.workspace.read(path);
  return [
    {
      role: "user",
      content: { type: "text", text: `请分析 ${timeframe} 的系统日志和下面的代码文件，找出问题。` },
    },
    { role: "user", content: embeddedText("file:///logs/app.log", log, "text/plain") },
    { role: "user", content: embeddedText(fileUri, file, "text/plain") },
  ];
};
