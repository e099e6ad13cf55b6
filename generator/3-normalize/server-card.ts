import type { ServerCard } from "../../templates/runtime/http/definition.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import { REGISTRY_TEXT_LENGTH } from "../model/registry.js";
import { cutAtWord } from "../text/cut-at-word.js";
import { publicRepository, uriOf } from "../text/public-urls.js";
import { publicUrl } from "./package.js";

/** The server card of a manifest; absent if it asks for none. The texts are as short as cards must be. */
export function normalizeCard(manifest: Manifest): ServerCard | undefined {
  const { card = false, name, title = "", description = "", websiteUrl } = manifest;
  if (card === false) return undefined;
  const stated = card === true ? {} : card;
  const { registry } = manifest.package ?? {};
  const url = stated.url ?? registry?.url ?? publicUrl(manifest);
  const repository = publicRepository(manifest.repository);
  const about = [description, title, name].find((text) => text.trim() !== "") ?? name;
  const shown = cutAtWord(title, REGISTRY_TEXT_LENGTH);
  const icons = ((manifest.icons ?? []) as readonly unknown[]).filter(isIcon).map(iconOf);
  return {
    name: stated.name ?? registry?.name ?? name,
    ...(shown !== "" && { title: shown }),
    description: cutAtWord(about, REGISTRY_TEXT_LENGTH),
    ...(websiteUrl !== undefined && { websiteUrl: uriOf(websiteUrl) }),
    ...(repository?.source !== undefined && { repository: { ...repository } }),
    ...(icons.length > 0 && { icons }),
    ...(url !== undefined && { url: uriOf(url) }),
  };
}

function isIcon(icon: unknown): icon is JsonObject {
  return isJsonObject(icon as JsonObject) && typeof (icon as JsonObject)["src"] === "string";
}

function iconOf({ src, mimeType, sizes, theme }: JsonObject): JsonObject {
  return {
    src: src ?? "",
    ...(mimeType !== undefined && { mimeType }),
    ...(sizes !== undefined && { sizes }),
    ...(theme !== undefined && { theme }),
  };
}
