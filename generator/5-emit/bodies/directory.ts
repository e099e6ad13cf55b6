import type { DirectoryBodyModel } from "../../model/bodies.js";
import type { ItemModel } from "../../model/server-model.js";
import { callOf, functionOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { argumentIdentifier } from "../../text/names.js";
import {
  directoryContract,
  directoryTemplates,
} from "../contract-tests/bodies/directory-contracts.js";
import { memberOf } from "../modules/structures.js";
import { code } from "../../text/markdown.js";
import type { BodyCode } from "./body-code.js";
import type { SourceKind } from "./body-kind.js";
import type { BodySource } from "./source-code.js";

/** How a `directory` body finds values: it lists its files, and completes their paths. */
const directorySource: BodySource<DirectoryBodyModel> = {
  completion: (_name, body) => ({
    imports: [],
    code: functionOf("async ({ value }, ctx)", [
      sequenceOf(["return ", directoryOf(body), ".complete(value);"]),
    ]),
  }),
  list: ({ variables: [path] }, body) => {
    const value = path?.list === true ? 'path.split("/")' : "path";
    const variables = objectOf([[path?.name ?? "path", value]]);
    const code = functionOf("async (ctx)", [
      sequenceOf(["const files = await ", directoryOf(body), ".list();"]),
      sequenceOf([
        "return files.map(({ path, ...file }) => ({ ...file, variables: ",
        variables,
        " }));",
      ]),
    ]);
    return { imports: [], code };
  },
};

/** A `directory` body. */
export const directoryBody: SourceKind<DirectoryBodyModel> = {
  code: directoryCode,
  answerer: rootInWords,
  sentence: (body) => `It reads the files of ${rootInWords(body)}.`,
  // Clients are notified of changes in a directory that is watched.
  entries: ({ root, hidden, watch }) =>
    watch ? [["watch", literalOf({ root, ...(hidden && { hidden }) })]] : [],
  packages: ["mime"],
  source: directorySource,
  contracts: { name: "directories", items: directoryTemplates, contract: directoryContract },
};

/** The code of a `directory` body: it reads the file whose path is the variable of the template. */
function directoryCode(item: ItemModel, body: DirectoryBodyModel): BodyCode {
  const [path] = item.kind === "resourceTemplate" ? item.variables : [];
  const name = path?.name ?? "path";
  const identifier = argumentIdentifier(name, new Set([item.identifier, "ctx"]));
  return {
    imports: [],
    docs: `Reads the files of ${rootInDocs(body)}.`,
    parameter: objectOf([[name, identifier]]),
    statements: [sequenceOf(["return ", directoryOf(body), `.read(${identifier});`])],
  };
}

/** The directory, as part of a docstring. */
function rootInDocs({ root }: DirectoryBodyModel): string {
  return typeof root === "string"
    ? `the directory \`${root}\``
    : `the directory that the variable \`${root.env}\` names`;
}

/** The directory, as part of a sentence in Markdown. */
function rootInWords({ root }: DirectoryBodyModel): string {
  return typeof root === "string"
    ? `the directory ${code(root)}`
    : `the directory that ${code(root.env)} names`;
}

function directoryOf({ root, hidden, maxBytes }: DirectoryBodyModel): Code {
  const options = { ...(hidden && { hidden }), ...(maxBytes !== undefined && { maxBytes }) };
  const place = typeof root === "string" ? writeString(root) : memberOf("ctx.env", root.env);
  const hasOptions = Object.keys(options).length > 0;
  return callOf("ctx.directories.open", [place, ...(hasOptions ? [literalOf(options)] : [])]);
}
