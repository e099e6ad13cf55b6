/** What media types say of the bodies that have them. */

/** Without parameters, in small letters. */
export const bareType = (mediaType: string): string =>
  mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
export const isFormType = (mediaType: string): boolean =>
  bareType(mediaType) === "application/x-www-form-urlencoded";
export const isMultipartType = (mediaType: string): boolean =>
  bareType(mediaType) === "multipart/form-data";
export const isJsonType = (mediaType: string): boolean =>
  /^application\/(?:[\w.+-]+\+)?json$/.test(bareType(mediaType));

/** Media types whose bodies are text that callers can write. */
export const isTextType = (mediaType: string): boolean =>
  /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?xml|application\/(?:x-)?(?:ndjson|jsonl|yaml|sql|graphql))$/.test(
    bareType(mediaType),
  );

/** Whether a media type is XML. */
export const isXmlType = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /[/+]xml$/.test(mediaType);
