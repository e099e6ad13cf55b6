import { readFile } from "node:fs/promises";
import { readContract, type ServerContract, type TestedProject } from "../contract.js";

/** Reads the contract of a server that may authenticate callers over the network. */
export async function readGuardedContract(project: TestedProject): Promise<ServerContract> {
  return withGuard(await readContract("server", project), project.context);
}

/** Returns the reason why no test calls the server's handlers; undefined if tests call them. */
export function whyUncalled({ guarded }: ServerContract): string | undefined {
  return guarded === undefined
    ? undefined
    : "nobody's token is known here; it is called where the manifest declares the transport stdio";
}

type Guarded = Pick<ServerContract, "guarded">;

const AUTHENTICATE =
  /^export (?:async )?(?:const|let|var|function) authenticate\b|^export (?:(?:const|let|var) )?\{[^}]*\bauthenticate\b/m;

const EXPORT_OF_ALL = /^export \* from ["']([^"']+)["']/gm;

/**
 * Whether the project authenticates callers in its own code. It may do so without scopes in the manifest.
 * @param context The compiled `src/context.ts` of the project.
 */
export async function withGuard<Contract extends Guarded>(
  contract: Contract,
  context: URL,
): Promise<Contract> {
  if (contract.guarded !== undefined || !(await mayAuthenticate(context))) return contract;
  return { ...contract, guarded: { method: "server/discover", params: {}, mayBeOpen: true } };
}

/** Whether a module may export `authenticate`. The module is read and not loaded, since loading it would run its code. */
async function mayAuthenticate(module: URL, seen = new Set<string>()): Promise<boolean> {
  if (seen.has(module.href)) return false;
  seen.add(module.href);
  const code = await readFile(module, "utf8");
  if (AUTHENTICATE.test(code)) return true;
  for (const [, from = ""] of code.matchAll(EXPORT_OF_ALL)) {
    // The exports of packages are not read.
    if (!/^\.\.?\//.test(from) || (await mayAuthenticate(new URL(from, module), seen))) return true;
  }
  return false;
}
