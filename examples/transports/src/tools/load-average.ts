import { loadavg } from "node:os";
import type { ToolHandler } from "../generated/index.ts";

export const loadAverage: ToolHandler<"load_average"> = () => {
  const [oneMinute = 0, fiveMinutes = 0, fifteenMinutes = 0] = loadavg();
  return { averages: [oneMinute, fiveMinutes, fifteenMinutes] };
};
