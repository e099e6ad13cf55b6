import { readFile } from "node:fs/promises";
import { projectFolder, readContract, type ServerContract } from "../contract.js";

declare module "../contract.js" {
  interface ServerContract {
    /** Where items need scopes: a request for one of them, which is refused to whoever does not say who they are. */
    readonly guarded?: {
      readonly method: string;
      readonly params: JsonObject;
      /** Only the code of the project knows whether it is refused. */
      readonly mayBeOpen?: boolean;
    };
  }
}

/** The contract of a server that may ask who calls over the network. */
export async function readGuardedContract(): Promise<ServerContract> {
  const context = new URL("dist/src/context.js", projectFolder);
  return withGuard(await readContract("server"), context);
}

/** Why no test calls the server's handlers; undefined where the tests may. */
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
 * A server may ask who calls over the network without scopes in the manifest: where its project says
 * how to find that out.
 * @param context The project's `src/context.ts`, compiled.
 */
export async function withGuard<Contract extends Guarded>(
  contract: Contract,
  context: URL,
): Promise<Contract> {
  if (contract.guarded !== undefined || !(await mayAuthenticate(context))) return contract;
  return { ...contract, guarded: { method: "server/discover", params: {}, mayBeOpen: true } };
}

/** Whether a module may export `authenticate`. It is read and not loaded: the code could do anything. */
async function mayAuthenticate(module: URL, seen = new Set<string>()): Promise<boolean> {
  if (seen.has(module.href)) return false;
  seen.add(module.href);
  const code = await readFile(module, "utf8");
  if (AUTHENTICATE.test(code)) return true;
  for (const [, from = ""] of code.matchAll(EXPORT_OF_ALL)) {
    // What a package exports is not known here.
    if (!/^\.\.?\//.test(from) || (await mayAuthenticate(new URL(from, module), seen))) return true;
  }
  return false;
}
