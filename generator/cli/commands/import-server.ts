import { dirname } from "node:path";
import { importServer, type ImportedServer } from "../../import/server/import-server.js";
import { proxyOf } from "../../import/server/proxy.js";
import { LIST_NAMES, LISTS } from "../../import/server/listed-server.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import type { Command, CommandContext } from "../command.js";
import { failed } from "../report/failed.js";
import { successText, targetOf, targetProblem, writeImported } from "./import-target.js";
import { listNamedServer } from "./named-server.js";
import { serverOfCommandLine } from "./server-of-command-line.js";

/** `mcpwright import server`: writes a manifest with the items that a running server lists. */
export const importServerCommand: Command = async (context) => {
  const { invocation } = context;
  const target = targetOf(context);
  const problem = targetProblem(context, target);
  if (problem !== undefined) return failed(context, [problem], exitStatus.wrong);
  const server = serverOfCommandLine(context, invocation.values.get("url"));
  if ("problem" in server) return failed(context, [server.problem], exitStatus.wrong);
  const listing = await listNamedServer(context, server);
  if ("problem" in listing) return failed(context, [listing.problem], exitStatus.wrong);
  const { name } = listing.listed.about;
  const isProxy = invocation.flags.has("proxy");
  const imported = importServer(listing.listed, {
    transport: server.target.kind === "url" ? "http" : "stdio",
    ...(isProxy && { proxy: proxyOf(server.target, String(name ?? ""), dirname(target)) }),
    findsInstances: true,
    place: server.place,
  });
  return finish(context, target, imported);
};

async function finish(
  context: CommandContext,
  target: string,
  { manifest, counts, diagnostics }: ImportedServer,
): Promise<ExitStatus> {
  const { reporter } = context;
  const { exitCode, problem } = await writeImported(context, target, manifest);
  const all = problem === undefined ? diagnostics : [...diagnostics, problem];
  const isDone = exitCode === exitStatus.done;
  reporter.diagnostics(all, new Map());
  if (isDone && manifest !== undefined) {
    reporter.text(successText(context, target, manifest, countsText(counts)));
  }
  reporter.document({
    ok: isDone,
    exitCode,
    manifest: target,
    imported: counts,
    ...reporter.counted(all),
  });
  return exitCode;
}

/** The number of items of each list that is not empty: `3 tools, 1 prompt`. */
function countsText(counts: ImportedServer["counts"]): string {
  const parts = LIST_NAMES.flatMap((name) => {
    const count = counts[name];
    return count === 0 ? [] : [`${count} ${LISTS[name].kind}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "no items" : parts.join(", ");
}
