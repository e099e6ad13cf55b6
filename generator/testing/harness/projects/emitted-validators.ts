import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import type { Validator } from "../../../../templates/runtime/engine/item.js";
import {
  ValidatorEmitter,
  type ValidatorRequest,
} from "../../../5-emit/validators/emit-validators.js";
import { isJsonObject, type JsonSchema } from "../../../model/json.js";
import { sharedFileNames, sharedTypeNames } from "../../../text/names.js";

const sharedModules = new URL("dist/templates/runtime/validators/*.js", packageRoot).href;

/** The module that a generated project would have for these validators. */
export function validatorCode(requests: readonly ValidatorRequest[]): string {
  return new ValidatorEmitter().module(requests, { header: "// test", sharedModules });
}

/** The same, loaded, by the names of its exports. */
export async function importValidators(
  requests: readonly ValidatorRequest[],
): Promise<Readonly<Record<string, Validator>>> {
  return import(`data:text/javascript,${encodeURIComponent(validatorCode(requests))}`);
}

/** The validator of a schema as the generated project would run it. */
export async function importValidator(
  schema: JsonSchema,
  namesKeywordsOnly = false,
): Promise<Validator> {
  const { input } = await importValidators([{ exportName: "input", schema, namesKeywordsOnly }]);
  if (input === undefined) throw new Error("the module exports no validator");
  return input;
}

/**
 * The validator of a schema whose `$defs` are shared schemas of the manifest, as the generated project would run it: with
 * a module for each that it uses.
 */
export async function importSharingValidator(
  schema: JsonSchema,
  namesKeywordsOnly = false,
): Promise<Validator> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-validators-"));
  try {
    for (const [name, text] of sharingModules(schema, namesKeywordsOnly)) {
      await writeFile(join(folder, `${name}.mjs`), text);
    }
    const { input } = (await import(pathToFileURL(join(folder, "input.mjs")).href)) as {
      readonly input: Validator;
    };
    return input;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The modules of a schema whose `$defs` are shared schemas: its own is `input`, the others are named `of-`. */
export function sharingModules(
  schema: JsonSchema,
  namesKeywordsOnly = false,
): [name: string, text: string][] {
  const definitions = isJsonObject(schema) && isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  const names = Object.keys(definitions);
  const typeNames = sharedTypeNames(names, []);
  const fileNames = sharedFileNames(names);
  const emitter = new ValidatorEmitter(
    names.map((name) => ({
      ...{ name, schema: definitions[name] as JsonSchema },
      ...{ typeName: typeNames.get(name) ?? name, fileName: fileNames.get(name) ?? name },
    })),
  );
  const frame = { header: "// test", sharedModules, schemaModules: "./of-*.mjs" };
  const embedded = Object.fromEntries(names.map((name) => [name, name]));
  const own = emitter.module([{ exportName: "input", schema, embedded, namesKeywordsOnly }], frame);
  const shared = emitter
    .schemaModules(frame)
    .map(([name, text]): [string, string] => [`of-${name}`, text]);
  return [["input", own], ...shared];
}
