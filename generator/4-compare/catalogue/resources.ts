import { jsonExcerpt } from "../wording.js";
import { defineRule } from "../rule.js";
import type { TextChange } from "./texts.js";

/** Rules about the addresses and MIME types of resources and resource templates. */

interface Change {
  readonly before: string;
  readonly after: string;
}

export const uriChanged = defineRule<Change>({
  id: "uri-changed",
  severity: "breaking",
  title: "a resource has another URI",
  explanation: {
    cause: "Clients read a resource by its URI; nothing answers to the old one.",
    example: {
      before: "resources: [{name: help, uri: 'weather://help'}]",
      after: "resources: [{name: help, uri: 'weather://manual'}]",
    },
    fix: "Keep the URI, or list the resource under both, or release a new major version.",
  },
  message: ({ before, after }) => `the URI was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`,
});

export const uriTemplateChanged = defineRule<Change>({
  id: "uri-template-changed",
  severity: "breaking",
  title: "a resource template has another URI template",
  explanation: {
    cause:
      "Clients fill in the template that they were given; URIs made from the old one may not match.",
    example: {
      before: "resourceTemplates: [{name: current, uriTemplate: 'weather://{city}'}]",
      after: "resourceTemplates: [{name: current, uriTemplate: 'weather://cities/{city}'}]",
    },
    fix: "Add a second template and keep the first, or release a new major version.",
  },
  message: ({ before, after }) =>
    `the URI template was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`,
});

const mimeTypeInWords = (mimeType: string | undefined): string =>
  mimeType === undefined ? "not stated" : jsonExcerpt(mimeType);

export const mimeTypeChanged = defineRule<TextChange>({
  id: "mime-type-changed",
  severity: "warning",
  title: "a resource has another MIME type",
  explanation: {
    cause: "Clients choose by the MIME type how to read and show a resource.",
    example: {
      before: "resources: [{name: help, uri: 'weather://help', mimeType: text/plain}]",
      after: "resources: [{name: help, uri: 'weather://help', mimeType: text/markdown}]",
    },
    fix: "Check that clients can read the new one.",
  },
  message: ({ before, after }) =>
    `the MIME type was ${mimeTypeInWords(before)}, is ${mimeTypeInWords(after)}`,
});
