import type { Manifest } from "../model/manifest.js";
import { isRegistryUrl } from "../model/registry.js";
import type { DeployModel, PackageModel, RegistryModel } from "../model/server-model.js";

/** `package` of the manifest. */
export function normalizePackage(manifest: Manifest): PackageModel {
  const { registry, ...others } = manifest.package ?? {};
  return {
    ...(registry !== undefined && { registry: normalizeRegistry(registry, manifest) }),
    ...Object.fromEntries(Object.entries(others).filter(([, isAsked]) => isAsked)),
  };
}

type ManifestRegistry = NonNullable<NonNullable<Manifest["package"]>["registry"]>;

/** An entry without a `url` takes the `resource` of `auth`, if that is a public URL. */
function normalizeRegistry(
  { name, url, npm = true }: ManifestRegistry,
  { auth, transports = [] }: Manifest,
): RegistryModel {
  const resource = transports.some(({ type }) => type === "http") ? auth?.resource : undefined;
  const isPublic = typeof resource === "string" && isRegistryUrl(resource);
  const publicUrl = url ?? (isPublic ? resource : undefined);
  return { name, npm, ...(publicUrl !== undefined && { url: publicUrl }) };
}

/** `deploy` of the manifest. */
export function normalizeDeploy({
  docker = true,
  compose = false,
  kubernetes = false,
  workers = false,
  lambda = false,
  vercel = false,
  bun = false,
  deno = false,
}: NonNullable<Manifest["deploy"]>): DeployModel {
  return { docker, compose, kubernetes, workers, lambda, vercel, bun, deno };
}
