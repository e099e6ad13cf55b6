const BYTE_ORDER_MARK = "\uFEFF";

/** The line end of a text: that of its first line, or LF where it has only one. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** A text as UTF-8 without a byte-order mark, and the mark apart, so that it can be put back. */
export interface DecodedText {
  readonly mark: string;
  readonly text: string;
}

/** Decodes UTF-8 strictly; `undefined` for bytes that are no UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const marked = text.startsWith(BYTE_ORDER_MARK);
    return marked ? { mark: BYTE_ORDER_MARK, text: text.slice(1) } : { mark: "", text };
  } catch {
    return undefined;
  }
}
