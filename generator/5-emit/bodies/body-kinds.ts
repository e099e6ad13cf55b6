import { isSource } from "../../bodies/index.js";
import type { BodyModel, SourceModel } from "../../model/bodies.js";
import type { ServerModel } from "../../model/server-model.js";
import type { BodyContracts } from "../contract-tests/bodies/body-contracts.js";
import type { Entry } from "../modules/item-settings.js";
import type { PackageName } from "../project/dependency-versions.js";
import { bodyItems } from "./body-items.js";
import type { BodyKind, SourceKind } from "./body-kind.js";
import { directoryBody } from "./directory.js";
import { execBody } from "./exec.js";
import { httpBody } from "./http.js";
import { mcpBody } from "./mcp.js";
import type { BodySource } from "./source-code.js";
import { sqlBody } from "./sql.js";

type KindOf<Body> = [Body] extends [SourceModel] ? SourceKind<Body> : BodyKind<Body>;

/** All kinds, in the order in which their contracts are tested. */
const KINDS: {
  readonly [Key in BodyModel["kind"]]: KindOf<Extract<BodyModel, { readonly kind: Key }>>;
} = { http: httpBody, sql: sqlBody, exec: execBody, directory: directoryBody, mcp: mcpBody };

/** The kind of a body. */
export function kindOfBody(body: BodyModel): BodyKind<BodyModel> {
  return KINDS[body.kind];
}

/** How a body finds values. */
export function sourceOf(body: SourceModel): BodySource<SourceModel> {
  return KINDS[body.kind].source;
}

/** True if the server has what a body needs: its upstream, database or remote server. */
export function isRunnable(body: BodyModel, model: ServerModel): boolean {
  return kindOfBody(body).isRunnable?.(body, model) ?? true;
}

/** The members that a body adds to the entry of its item. */
export function bodyEntries(body: BodyModel): Entry[] {
  return kindOfBody(body).entries?.(body) ?? [];
}

/** The packages that the bodies of a server need, and the bodies that list instances of its templates. */
export function packagesOfBodies(model: ServerModel): PackageName[] {
  const lists = model.resourceTemplates.flatMap(({ list }) => (isSource(list) ? [list] : []));
  const bodies = [...bodyItems(model).map(({ behaviour }) => behaviour), ...lists];
  return [...new Set(bodies.flatMap((body) => kindOfBody(body).packages ?? []))];
}

/** The contracts of all kinds. */
export const contractsOfBodies: readonly BodyContracts[] = Object.values(KINDS).map(
  ({ contracts }) => contracts,
);
