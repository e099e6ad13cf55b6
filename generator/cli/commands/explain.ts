import { unknownCode } from "../../model/catalogue/command-line.js";
import { allEntries } from "../../model/catalogue/index.js";
import { nearestName } from "../../text/nearest-name.js";
import { exitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import type { Command } from "../run.js";

/** `mcpwright explain CODE`; without a code, the list of all. */
export const explain: Command = async ({ invocation, reporter }) => {
  const [wanted] = invocation.positionals;
  if (wanted === undefined) {
    reporter.answer(allEntries.map(({ code, title }) => `${code}  ${title}\n`).join(""));
    reporter.document({
      ok: true,
      exitCode: exitStatus.done,
      codes: allEntries.map(({ code, severity, title }) => ({ code, severity, title })),
    });
    return exitStatus.done;
  }
  const entry = allEntries.find(({ code }) => code === wanted.toUpperCase());
  if (entry === undefined) {
    const nearest = nearestName(
      wanted,
      allEntries.map(({ code }) => code),
    );
    const diagnostics = [
      unknownCode(placeOf(invocation, "argument"), {
        found: wanted,
        ...(nearest !== undefined && { nearest }),
      }),
    ];
    reporter.diagnostics(diagnostics, new Map());
    reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
    return exitStatus.wrong;
  }
  const { code, severity, title, explanation } = entry;
  const { cause, example, fix } = explanation;
  const indented = example.replace(/^/gm, "    ");
  reporter.answer(`${code} (${severity}): ${title}\n\n${cause}\n\n${indented}\n\n${fix}\n`);
  reporter.document({ ok: true, exitCode: exitStatus.done, code, severity, title, ...explanation });
  return exitStatus.done;
};
