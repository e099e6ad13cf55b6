/** What every server of the benchmark offers: the same tools, a resource and a prompt. */

export const count = Number(process.env.BENCH_TOOLS ?? 1);

export const nameOf = (index) => `tool_${index}`;
export const descriptionOf = (index) => `Daily forecast for one city, by method ${index}.`;

export function forecast({ city, days = 3 }) {
  return {
    city,
    days: Array.from({ length: days }, (_, day) => ({ day, high: 20 + day, sky: "clear" })),
  };
}

export function schemas(z) {
  return {
    inputSchema: z.object({
      city: z.string().min(1).max(80).describe("City name"),
      days: z.number().int().min(1).max(14).default(3).describe("How many days"),
    }),
    outputSchema: z.object({
      city: z.string(),
      days: z.array(
        z.object({
          day: z.number().int(),
          high: z.number().describe("Highest temperature in °C"),
          sky: z.enum(["clear", "clouds", "rain"]),
        }),
      ),
    }),
  };
}

export const resource = { uri: "bench://help", text: "# Help\n\nAsk for a city." };
export const promptText = (city) => `Plan a trip to ${city}.`;
