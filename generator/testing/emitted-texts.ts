import * as assert from "uvu/assert";
import { hashContent } from "../6-reconcile/content-hash.js";
import { ContentNeeded, type OutputFile } from "../model/output-file.js";

/** The contents of emitted files by path, also of those that would not have been made; their hashes must be right. */
export async function emittedTexts(files: readonly OutputFile[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const file of files) {
    const text = await contentOf(file);
    texts[file.path] = text;
    if (file.hash !== undefined) assert.is(file.hash, hashContent(Buffer.from(text)), file.path);
  }
  return texts;
}

async function contentOf(file: OutputFile): Promise<string> {
  try {
    return file.content;
  } catch (error) {
    if (!(error instanceof ContentNeeded)) throw error;
    await error.make();
    return file.content;
  }
}
