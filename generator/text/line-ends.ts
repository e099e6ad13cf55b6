const BYTE_ORDER_MARK = "\uFEFF";

/** The line end of a text's first line; LF if it has only one line. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** A decoded text without its byte-order mark. */
export interface DecodedText {
  /** The byte-order mark, or empty. */
  readonly mark: string;
  readonly text: string;
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(BYTE_ORDER_MARK);
    return hasMark ? { mark: BYTE_ORDER_MARK, text: text.slice(1) } : { mark: "", text };
  } catch {
    return undefined;
  }
}
