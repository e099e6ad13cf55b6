import { explainedRules } from "../../4-compare/catalogue/explanations.js";
import { unknownCode } from "../../model/catalogue/command-line.js";
import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import { nearestName } from "../../text/nearest-name.js";
import { exitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { failed } from "../report/failed.js";
import { siteAddress } from "../site-address.js";
import type { Command } from "../command.js";

/** `mcpwright explain CODE`. Without a code, it lists all codes. */
export const explain: Command = async ({ invocation, reporter }) => {
  const [requested] = invocation.positionals;
  const pages = [...explainedDiagnostics(), ...explainedRules()];
  if (requested === undefined) {
    reporter.answer(pages.map(({ code, title }) => `${code}  ${title}\n`).join(""));
    reporter.document({
      ok: true,
      exitCode: exitStatus.done,
      codes: pages.map(({ code, severity, title }) => ({ code, severity, title })),
    });
    return exitStatus.done;
  }
  const page = pages.find(({ code }) => code.toLowerCase() === requested.toLowerCase());
  if (page === undefined) {
    const nearest = nearestName(
      requested,
      pages.map(({ code }) => code),
    );
    const place = placeOf(invocation, "argument");
    const names = { found: requested, ...(nearest !== undefined && { nearest }) };
    return failed({ reporter }, [unknownCode(place, names)], exitStatus.wrong);
  }
  const { code, severity, title, cause, example, fix } = page;
  const indented = example.replace(/^(?=.)/gm, "    ");
  const address = siteAddress(code);
  const more = address === undefined ? "" : `\n${address}\n`;
  reporter.answer(`${code} (${severity}): ${title}\n\n${cause}\n\n${indented}\n\n${fix}\n${more}`);
  reporter.document({ ok: true, exitCode: exitStatus.done, ...page });
  return exitStatus.done;
};
