import { ToolResult } from "../tools/result.js";

/**
 * The output of a tool's handler, which may have returned it directly or in a `result(…)`.
 * @throws TypeError for a result without `structuredContent`
 */
export function outputOf<Output>(answer: Output | ToolResult<Output>): Output {
  if (!(answer instanceof ToolResult)) return answer;
  const { structuredContent } = answer.parts;
  if (structuredContent === undefined) throw new TypeError("the result has no structuredContent");
  return structuredContent;
}
