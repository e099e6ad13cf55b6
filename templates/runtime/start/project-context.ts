/** The functions that `src/context.ts` may export. */
export interface ProjectContext<Env, Services> {
  /** Makes `ctx.services`. Called before any transport starts. */
  createServices?(env: Env, controls: never): Services | Promise<Services>;
  /** Releases the services. Called after every transport has ended. */
  closeServices?(services: Services): void | Promise<void>;
}
