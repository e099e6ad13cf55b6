import { ToolResult } from "../tools/result.js";

/**
 * The output that a tool's handler answered with, which may stand in a `result(…)`.
 * @throws TypeError for a result without `structuredContent`
 */
export function outputOf<Output>(answer: Output | ToolResult<Output>): Output {
  if (!(answer instanceof ToolResult)) return answer;
  const { structuredContent } = answer.parts;
  if (structuredContent === undefined) throw new TypeError("the result has no structuredContent");
  return structuredContent;
}
