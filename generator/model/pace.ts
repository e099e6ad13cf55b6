/**
 * Called between the steps of long work: the place to say that it goes on, and to let signals in,
 * which wait as long as code runs.
 */
export type Pace = () => Promise<void>;
