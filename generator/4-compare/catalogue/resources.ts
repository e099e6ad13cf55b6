import { jsonExcerpt } from "../wording.js";
import { defineRule } from "../../model/semantic-rule.js";
import type { TextChange } from "./texts.js";

/** Rules about the addresses and MIME types of resources and resource templates. */

interface Change {
  readonly before: string;
  readonly after: string;
}

export const uriChanged = defineRule<Change>({
  id: "uri-changed",
  severity: "breaking",
  message: ({ before, after }) => `the URI was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`,
});

export const uriTemplateChanged = defineRule<Change>({
  id: "uri-template-changed",
  severity: "breaking",
  message: ({ before, after }) =>
    `the URI template was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`,
});

const mimeTypeInWords = (mimeType: string | undefined): string =>
  mimeType === undefined ? "not stated" : jsonExcerpt(mimeType);

export const mimeTypeChanged = defineRule<TextChange>({
  id: "mime-type-changed",
  severity: "warning",
  message: ({ before, after }) =>
    `the MIME type was ${mimeTypeInWords(before)}, is ${mimeTypeInWords(after)}`,
});
