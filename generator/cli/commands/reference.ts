import { exitStatus } from "../exit-status.js";
import { manifestReference, readManifestSchema } from "../reference/manifest-reference.js";
import { pathOf, searchReference, type FoundField } from "../reference/search-reference.js";
import type { Command } from "../command.js";

/** `mcpwright reference [WORDS]`: the fields of the manifest that words are about. Without words, its sections. */
export const reference: Command = async ({ invocation, reporter }) => {
  const query = invocation.positionals.join(" ");
  const sections = manifestReference(readManifestSchema());
  if (query === "") {
    const listed = sections.map(({ name, description }) => ({ name, description }));
    reporter.answer(listed.map(({ name, description }) => `${name}: ${description}\n`).join(""));
    reporter.document({ ok: true, exitCode: exitStatus.done, sections: listed });
    return exitStatus.done;
  }
  const found = searchReference(sections, query);
  const text = found.map(fieldText).join("\n");
  reporter.answer(found.length === 0 ? "No field of the manifest has these words.\n" : text);
  reporter.document({ ok: true, exitCode: exitStatus.done, fields: found });
  return exitStatus.done;
};

function fieldText(field: FoundField): string {
  const { type, required, default: value, description } = field;
  const more = [required && "required", value !== undefined && `default ${JSON.stringify(value)}`];
  const facts = [type, ...more.filter((fact) => fact !== false)].join("; ");
  return `${pathOf(field)} (${facts})\n    ${description}\n`;
}
