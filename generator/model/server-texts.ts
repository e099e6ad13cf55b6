/**
 * What a manifest says of the server as a whole, and the model as it is written. Nothing that is said of an
 * item may depend on these: where only they differ, items are taken from a former generation.
 */
export const SERVER_TEXTS = [
  "title",
  "description",
  "websiteUrl",
  "icons",
  "instructions",
  "license",
  "author",
  "repository",
  "keywords",
] as const;
