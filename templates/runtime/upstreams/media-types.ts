type Headers = Readonly<Record<string, string>>;

/** The media type of an answer, without its parameters. */
export function mimeTypeOf(headers: Headers): string {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase() || "application/octet-stream";
}

/**
 * The text of a body in the character set that its headers name, otherwise in UTF-8. Without a byte-order mark. JSON is
 * UTF-8 whatever its headers name (RFC 8259, 8.1), unless its bytes are none.
 */
export function decodedText(body: Buffer, headers: Headers): string {
  const [, charset = "utf-8"] =
    /;\s*charset="?([\w.:-]+)/i.exec(headers["content-type"] ?? "") ?? [];
  const text = body.toString("utf8").replace(/^\ufeff/, "");
  if (/^utf-?8$/i.test(charset)) return text;
  if (isJsonType(mimeTypeOf(headers)) && !/[\ufffd\0]/.test(text)) return text;
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // There is no such character set.
    return text;
  }
}

export function isJsonType(type: string): boolean {
  return /[/+]json$/.test(type);
}

/** Whether bodies of this type are text for models. */
export function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(
    type,
  );
}
