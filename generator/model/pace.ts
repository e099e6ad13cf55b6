/**
 * Called between the steps of long work, with how many files are done: the place to say so, and to
 * let signals in, which wait as long as code runs.
 */
export type Pace = (filesDone: number) => Promise<void>;
