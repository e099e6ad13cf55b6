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
  { name, url: stated, npm = true }: ManifestRegistry,
  manifest: Manifest,
): RegistryModel {
  const url = stated ?? publicUrl(manifest);
  return { name, npm, ...(url !== undefined && { url }) };
}

/** The `resource` of `auth`, if it is a public URL. */
export function publicUrl({ auth, transports = [] }: Manifest): string | undefined {
  const resource = transports.some(({ type }) => type === "http") ? auth?.resource : undefined;
  return typeof resource === "string" && isRegistryUrl(resource) ? resource : undefined;
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
