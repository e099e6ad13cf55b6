/**
 * Called between the steps of long work. It can report progress, and by giving control back to the event
 * loop it lets Node.js handle signals, which wait as long as synchronous code runs.
 */
export type Pace = () => Promise<void>;
