import type { ServerModel } from "../../model/server-model.js";

/** The description of the server; without one its title or name, since catalogues need a description. */
export function publicDescription({ description = "", title = "", name }: ServerModel): string {
  return [description, title, name].find((text) => text.trim() !== "") ?? name;
}
