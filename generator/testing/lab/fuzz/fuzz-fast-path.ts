import { DifferentialRounds } from "../../scenarios/serving/fast-path/differential-rounds.js";

/**
 * Sends requests to a server with a fast path and to one without, until so many were tried, and
 * stops at the first that is answered differently.
 *
 *   npm run fuzz:fast-path -- 1000000 [first seed]
 */
const wanted = Number(process.argv[2] ?? 100_000);
const firstSeed = Number(process.argv[3] ?? 1);
const requestsInRound = 10_000;

const rounds = await DifferentialRounds.start();
for (let seed = firstSeed; rounds.counts.requests < wanted; seed++) {
  await rounds.run(seed, Math.min(requestsInRound, wanted - rounds.counts.requests));
  const { requests, answered, fast, replayedOutcomes } = rounds.counts;
  console.log(
    `${requests} requests, ${answered} answered, ${fast} of them by the fast path; ${replayedOutcomes} outcomes went on to the SDK`,
  );
}
await rounds.close();
