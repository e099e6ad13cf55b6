/** What `src/context.ts` may export. */
export interface ProjectContext<Env, Services> {
  /** Makes `ctx.services`, before any transport starts. */
  createServices?(env: Env, controls: never): Services | Promise<Services>;
  /** Releases them, after every transport has ended. */
  closeServices?(services: Services): void | Promise<void>;
}
