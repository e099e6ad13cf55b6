import { interleave } from "../../scenarios/access/interleaved-principals/interleave.js";

/**
 * Has two callers call one server at once, over every transport, and looks for what reaches the other.
 *
 *   npm run soak:principals -- 1000     # calls, 100,000 unless it is told otherwise
 */
const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const { calls, wrong, updates } = await interleave(count, seed);
for (const [kind, times] of [...calls].sort()) console.log(`${kind}: ${times}`);
console.log(`${count} calls, ${updates} notifications, ${wrong.length} wrong`);
for (const one of wrong.slice(0, 20)) console.log(one);
process.exitCode = wrong.length === 0 ? 0 : 1;
