import type { ResourceTemplateHandler } from "../generated/index.ts";

/** Data by identifier. */
export const template: ResourceTemplateHandler<"template"> = ({ id }) =>
  JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
