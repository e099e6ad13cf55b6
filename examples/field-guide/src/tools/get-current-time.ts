import { ToolError, type ToolHandler } from "../generated/index.ts";

/** 返回某个时区的当前日期和时间。 */
export const getCurrentTime: ToolHandler<"get_current_time"> = ({ timezone }) => {
  const now = new Date();
  return { timezone, time: `${localTime(now, timezone)}${offset(now, timezone)}` };
};

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("sv-SE", { timeZone, ...options });
  } catch {
    throw new ToolError(`Unknown time zone ${timeZone}`);
  }
}

/** `2026-11-20T09:30:00`: the Swedish format is ISO 8601 with a space in the place of the T. */
function localTime(date: Date, timeZone: string): string {
  const options = { dateStyle: "short", timeStyle: "medium" } as const;
  return formatter(timeZone, options).format(date).replace(" ", "T");
}

/** `+08:00` */
function offset(date: Date, timeZone: string): string {
  const parts = formatter(timeZone, { timeZoneName: "longOffset" }).formatToParts(date);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  return name.replace("GMT", "").replace("−", "-") || "+00:00";
}
