import type { DirectoryBodyModel } from "../../model/bodies.js";
import type { ResourceTemplateModel } from "../../model/server-model.js";
import { callOf, functionOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { argumentIdentifier } from "../../text/names.js";
import { memberOf } from "../modules/structures.js";
import type { BodyCode } from "./body-code.js";
import type { BodilyItem } from "./body-items.js";

/** Reads the file that the one variable of a template names. */
export function directoryCode(item: BodilyItem, body: DirectoryBodyModel): BodyCode {
  const [path] = item.kind === "resourceTemplate" ? item.variables : [];
  const name = path?.name ?? "path";
  const identifier = argumentIdentifier(name, new Set([item.identifier, "ctx"]));
  return {
    imports: [],
    docs: `Reads the files of ${rootInWords(body)}.`,
    parameter: objectOf([[name, identifier]]),
    statements: [sequenceOf(["return ", directoryOf(body), `.read(${identifier});`])],
  };
}

/** Where the files are, as a part of a sentence. */
function rootInWords({ root }: DirectoryBodyModel): string {
  return typeof root === "string"
    ? `the directory \`${root}\``
    : `the directory that the variable \`${root.env}\` names`;
}

/** Lists the files as instances of a template. */
export function directoryListCode(
  { variables: [path] }: ResourceTemplateModel,
  body: DirectoryBodyModel,
): Code {
  const value = path?.list === true ? 'path.split("/")' : "path";
  const variables = objectOf([[path?.name ?? "path", value]]);
  return functionOf("async (ctx)", [
    sequenceOf(["const files = await ", directoryOf(body), ".list();"]),
    sequenceOf([
      "return files.map(({ path, ...file }) => ({ ...file, variables: ",
      variables,
      " }));",
    ]),
  ]);
}

/** Offers the paths of the files. */
export function directoryCompletionCode(body: DirectoryBodyModel): Code {
  return functionOf("async ({ value }, ctx)", [
    sequenceOf(["return ", directoryOf(body), ".complete(value);"]),
  ]);
}

function directoryOf({ root, hidden, maxBytes }: DirectoryBodyModel): Code {
  const options = { ...(hidden && { hidden }), ...(maxBytes !== undefined && { maxBytes }) };
  const place = typeof root === "string" ? writeString(root) : memberOf("ctx.env", root.env);
  const hasOptions = Object.keys(options).length > 0;
  return callOf("ctx.directories.open", [place, ...(hasOptions ? [literalOf(options)] : [])]);
}
