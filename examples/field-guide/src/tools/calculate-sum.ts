import type { ToolHandler } from "../generated/index.ts";

/** 计算一组数字的总和。 */
export const calculateSum: ToolHandler<"calculate_sum"> = ({ numbers }) => ({
  sum: numbers.reduce((sum, number) => sum + number, 0),
});
