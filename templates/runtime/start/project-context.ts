import type { Authenticate } from "../authentication/authenticate.js";
import type { ManifestAuth } from "../authentication/authenticate.js";
import type { ProtectedResource } from "../authentication/authenticate.js";

/** The functions that `src/context.ts` may export. */
export interface ProjectContext<Env, Services> {
  /** Makes `ctx.services`. Called before any transport starts. */
  createServices?(env: Env, controls: never): Services | Promise<Services>;
  /** Releases the services. Called after every transport has ended. */
  closeServices?(services: Services): void | Promise<void>;
  /** Authenticates callers over the network. With it, unknown callers are refused. */
  readonly authenticate?: Authenticate<Env, Services, ManifestAuth>;
  /** Reports whether the services can be used. If not, load balancers send requests to other servers. */
  ready?(services: Services): boolean | Promise<boolean>;
  /** Describes for clients where they get tokens. */
  protectedResource?(env: Env): ProtectedResource;
}
