import { onceForEach } from "../../model/once-for-each.js";
import { LaterContents, type GeneratedFile, type OutputFile } from "../../model/output-file.js";
import type { ItemModel } from "../../model/server-model.js";
import type { FormerGeneration } from "./former-generation.js";
import { filledFile } from "./stand-ins.js";

/** Makes the content of a file. */
type Maker = () => string | Promise<string>;

/** A generated file that is the same in every project that has it: not made where the last generation had it. */
export function fixedFile(
  path: string,
  former: FormerGeneration | undefined,
  make: Maker,
): GeneratedFile | Promise<GeneratedFile> {
  return unlessKnown({ owner: "generated", path }, former, make);
}

/** A generated file on which texts of tools and of the server have no bearing: not made where nothing else differs. */
export function fileWithoutTexts(
  path: string,
  former: FormerGeneration | undefined,
  make: Maker,
): GeneratedFile | Promise<GeneratedFile> {
  return fixedFile(path, former?.tools.onlyTextsDiffer === true ? former : undefined, make);
}

/** The same where its text may have stand-ins. */
export async function filledFileWithoutTexts(
  path: string,
  former: FormerGeneration | undefined,
  make: Maker,
): Promise<GeneratedFile> {
  const filled = async (): Promise<GeneratedFile> => filledFile(path, await make(), former);
  return former?.tools.onlyTextsDiffer === true
    ? fixedFile(path, former, async () => (await filled()).content)
    : filled();
}

/** A person's file as it is made for an item: not made for a tool that is as it was. */
export function fileOfItem<File extends Pick<OutputFile, "owner" | "path">>(
  file: File,
  { kind, name }: ItemModel,
  former: FormerGeneration | undefined,
  make: Maker,
): Known<File> | Promise<Known<File>> {
  const isKept = kind === "tool" && former?.tools.kept.has(name) === true;
  return unlessKnown(file, isKept ? former : undefined, make);
}

/** The same where it shows no text of the item: not made for a tool of which only texts have changed either. */
export function fileOfItemWithoutTexts<File extends Pick<OutputFile, "owner" | "path">>(
  file: File,
  item: ItemModel,
  former: FormerGeneration | undefined,
  make: Maker,
): Known<File> | Promise<Known<File>> {
  return item.kind === "tool" && former?.tools.onlyTextsDiffer === true
    ? unlessKnown(file, former, make)
    : fileOfItem(file, item, former, make);
}

type Known<File> = File & Pick<OutputFile, "content" | "hash">;

/** What is not made of a generation. */
const laterContentsOf = onceForEach((_former: FormerGeneration) => new LaterContents());

/** Known ones are there at once: of most files of a large project, nothing has to be waited for. */
function unlessKnown<File extends Pick<OutputFile, "path">>(
  file: File,
  former: FormerGeneration | undefined,
  make: Maker,
): Known<File> | Promise<Known<File>> {
  const hash = former?.hash(file.path);
  if (former !== undefined && hash !== undefined) {
    return laterContentsOf(former).add(file, hash, make);
  }
  const made = make();
  return typeof made === "string"
    ? { ...file, content: made }
    : made.then((content) => ({ ...file, content }));
}

/** All of some files, of which most may be there at once. */
export function allFiles<File extends object>(
  files: readonly (File | Promise<File>)[],
): readonly File[] | Promise<readonly File[]> {
  const isThere = (file: File | Promise<File>): file is File => !(file instanceof Promise);
  return files.every(isThere) ? files : Promise.all(files);
}
