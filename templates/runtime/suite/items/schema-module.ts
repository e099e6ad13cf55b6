import { extname } from "node:path";
import type { TestedProject } from "../contract.js";
import type { SchemaModule } from "./schemas.js";

/** Imports the module of a shared schema of a project. @param module its name without extension */
export async function schemaModule(
  { context }: TestedProject,
  module: string,
): Promise<SchemaModule> {
  const path = `generated/schemas/${module}.validators${extname(context.pathname)}`;
  return (await import(new URL(path, context).href)) as SchemaModule;
}
