import { median } from "./median.js";
import type { Started } from "./start.js";

const titles = [
  ...["server", "CPU", "spread", "of by hand", "of generated"],
  ...["elapsed", "of by hand", "of generated", "memory"],
];

/** The rows of the table of starts, its head first; the servers are one by hand, the generated one, then others. */
export function startTable(all: readonly Started[]): string[][] {
  return [titles, ...all.map((one) => row(one, all))];
}

/** Ratios are of medians of starts that stood side by side: below 1, the server starts faster than the other. */
function row(started: Started, [byHand, generated]: readonly Started[]): string[] {
  const { server, cpuMs, wallMs, memory } = started;
  const of = (times: readonly number[], others: readonly number[] = []): string =>
    median(times.map((time, round) => time / others[round]!)).toFixed(2);
  return [
    server === "factory" ? "by hand" : server === "fast" ? "generated" : server,
    `${median(cpuMs).toFixed(0)} ms`,
    `${Math.min(...cpuMs).toFixed(0)}–${Math.max(...cpuMs).toFixed(0)}`,
    of(cpuMs, byHand?.cpuMs),
    of(cpuMs, generated?.cpuMs),
    `${median(wallMs).toFixed(0)} ms`,
    of(wallMs, byHand?.wallMs),
    of(wallMs, generated?.wallMs),
    `${(median(memory) / 2 ** 20).toFixed(0)} MB`,
  ];
}
