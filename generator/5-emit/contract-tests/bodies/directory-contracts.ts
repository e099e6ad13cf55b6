import { expandUri } from "../../../../templates/runtime/resources/instances.js";
import {
  REFUSED_PATHS,
  TEST_FILES,
  tooLargeFile,
  type TestFile,
} from "../../../../templates/runtime/suite/clients/test-folder.js";
import type {
  DirectoryContract,
  DirectoryFileContract,
} from "../../../../templates/runtime/suite/items/directories.js";
import type { DirectoryBodyModel } from "../../../model/bodies.js";
import type { ResourceTemplateModel, ServerModel } from "../../../model/server-model.js";
import { isOwnUri } from "../resource-contracts.js";
import { itemSettings } from "../server-contract.js";

/** Tests create no larger files, since that takes too long on systems without sparse files. */
const MAX_TESTED_BYTES = 1_048_576;

/** A template whose instances are the files of a directory. */
type DirectoryTemplate = ResourceTemplateModel & { readonly behaviour: DirectoryBodyModel };

/** The templates that tests read with a folder of the tests instead of their directory. */
export function directoryTemplates({
  resourceTemplates,
}: ServerModel): readonly DirectoryTemplate[] {
  return resourceTemplates.filter(
    (template): template is DirectoryTemplate => template.behaviour.kind === "directory",
  );
}

/** The contract of a template whose instances are the files of a directory. */
export function directoryContract(
  template: DirectoryTemplate,
  model: ServerModel,
): DirectoryContract {
  const { behaviour: body } = template;
  const { maxBytes = Infinity } = body;
  const isLimited = maxBytes <= MAX_TESTED_BYTES;
  const refused = [...REFUSED_PATHS, ...(isLimited ? [tooLargeFile(maxBytes)] : [])];
  const files = [
    ...TEST_FILES.map((file) => fileContract(file, template, body)),
    ...refused.map((path) => ({ path, uri: uriOf(path, template) })),
  ];
  return {
    name: template.name,
    ...itemSettings(template),
    ...(isLimited && { maxBytes }),
    isListed: template.scopes === undefined && isListed(template) && onlyDirectoriesList(model),
    files: files.filter(({ uri }) => isOwnUri(uri, template, model)),
  };
}

function isListed({ list }: ResourceTemplateModel): boolean {
  return typeof list === "object" && list.kind === "directory";
}

/** True if no code of people lists instances. One request lists those of all templates, and a test cannot know theirs. */
function onlyDirectoriesList({ resourceTemplates }: ServerModel): boolean {
  return resourceTemplates.every((template) => template.list === undefined || isListed(template));
}

function fileContract(
  { path, isHidden, mimeType, text, blob = "" }: TestFile,
  template: ResourceTemplateModel,
  { hidden, maxBytes = Infinity }: DirectoryBodyModel,
): DirectoryFileContract {
  const uri = uriOf(path, template);
  const size = Buffer.from(text ?? blob, text === undefined ? "base64" : "utf8").length;
  if ((isHidden === true && !hidden) || size > maxBytes) return { path, uri };
  const type = mimeType ?? template.mimeType;
  const contents = {
    ...(type !== undefined && { mimeType: type }),
    ...(text === undefined ? { blob } : { text }),
  };
  return { path, uri, contents };
}

function uriOf(path: string, { parts, variables: [variable] }: ResourceTemplateModel): string {
  const value = variable?.list === true ? path.split("/") : path;
  return expandUri(parts, { [variable?.name ?? "path"]: value });
}
