import { explainedRules } from "../../4-compare/catalogue/explanations.js";
import { unknownCode } from "../../model/catalogue/command-line.js";
import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import { nearestName } from "../../text/nearest-name.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { failed } from "../report/failed.js";
import { siteAddress } from "../site-address.js";
import { compileManifest } from "../compile-manifest.js";
import { expandedIssuer } from "../../model/auth-presets.js";
import { validManifest } from "../../model/loaded-manifest.js";
import type { Command, CommandContext } from "../command.js";

/** `mcpwright explain CODE`, or `auth`. Without a code, it lists all codes. */
export const explain: Command = async (context) => {
  const { invocation, reporter } = context;
  const [requested] = invocation.positionals;
  if (requested === "auth") return explainAuth(context);
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

/** `mcpwright explain auth`: `auth` of the manifest with all that presets fill in. */
async function explainAuth(context: CommandContext): Promise<ExitStatus> {
  const { invocation, reporter } = context;
  const compiled = await compileManifest({
    ...context,
    invocation: { ...invocation, positionals: [] },
  });
  const { manifest, diagnostics, sources } = compiled;
  if (manifest === undefined || compiled.model === undefined) {
    reporter.diagnostics(diagnostics, sources);
    reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
    return exitStatus.wrong;
  }
  const { auth } = validManifest(manifest.value);
  const jwt = auth?.jwt?.map(expandedIssuer);
  const expanded = auth && { ...auth, ...(jwt && { jwt }) };
  const { stringify } = await import("yaml");
  // The values of presets are shared objects, which YAML would write as anchors.
  const text = stringify({ auth: expanded }, { aliasDuplicateObjects: false });
  reporter.answer(expanded === undefined ? "The manifest has no auth.\n" : text);
  reporter.document({ ok: true, exitCode: exitStatus.done, auth: expanded ?? null });
  return exitStatus.done;
}
