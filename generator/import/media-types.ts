/** A media type without its parameters, in lower case. */
export const bareType = (mediaType: string): string =>
  mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
export const isFormType = (mediaType: string): boolean =>
  bareType(mediaType) === "application/x-www-form-urlencoded";
export const isMultipartType = (mediaType: string): boolean =>
  bareType(mediaType) === "multipart/form-data";
export const isJsonType = (mediaType: string): boolean =>
  /^application\/(?:[\w.+-]+\+)?json$/.test(bareType(mediaType));

/** True if the body is text that a model can write. */
export const isTextType = (mediaType: string): boolean =>
  /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?xml|application\/(?:x-)?(?:ndjson|jsonl|yaml|sql|graphql))$/.test(
    bareType(mediaType),
  );

export const isXmlType = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /[/+]xml$/.test(mediaType);
