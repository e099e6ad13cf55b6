/** How a client of npm is driven. */
export interface TriedClient {
  /** The package whose version the page names. */
  readonly client: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly transports: readonly ("stdio" | "http")[];
  /** A version of Node.js that it needs where 20 is too old for it. */
  readonly node?: "24.21.0";
  /**
   * JavaScript that drives it, in a module. It has `url`, the server's command as `command` and `args`, `transport`, the
   * folder `home` for settings, the URL `standIn` of the module `stand-in-model.ts`, and `step(name, action)`, which records
   * what came of an action; a step passes if the action returns a text with `expected`.
   */
  readonly program: string;
}
