import { dirname } from "node:path";
import { importServer, type ImportedServer } from "../../import/server/import-server.js";
import { proxyOf } from "../../import/server/proxy.js";
import { LIST_NAMES, LISTS } from "../../import/server/listed-server.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import type { Command, CommandContext } from "../command.js";
import { failed, targetOf, targetProblem, writeImported, writtenText } from "./import-target.js";
import { askServer, serverNamed } from "./named-server.js";

/** `mcpwright import server`: a manifest of the items that a living server lists. */
export const importServerCommand: Command = async (context) => {
  const { invocation } = context;
  const target = targetOf(context);
  const problem = targetProblem(context, target);
  if (problem !== undefined) return failed(context, [problem], exitStatus.wrong);
  const named = serverNamed(context, invocation.values.get("url"));
  if ("problem" in named) return failed(context, [named.problem], exitStatus.wrong);
  const asked = await askServer(context, named);
  if ("problem" in asked) return failed(context, [asked.problem], exitStatus.wrong);
  const { name } = asked.listed.about;
  const isProxy = invocation.flags.has("proxy");
  const imported = importServer(asked.listed, {
    transport: named.target.kind === "url" ? "http" : "stdio",
    ...(isProxy && { proxy: proxyOf(named.target, String(name ?? ""), dirname(target)) }),
    place: named.place,
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
    reporter.text(writtenText(context, target, manifest, countsText(counts)));
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

/** `3 tools, 1 prompt`; lists without an item are not named. */
function countsText(counts: ImportedServer["counts"]): string {
  const named = LIST_NAMES.flatMap((name) => {
    const count = counts[name];
    return count === 0 ? [] : [`${count} ${LISTS[name].kind}${count === 1 ? "" : "s"}`];
  });
  return named.length === 0 ? "no items" : named.join(", ");
}
