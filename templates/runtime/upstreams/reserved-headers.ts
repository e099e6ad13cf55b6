/**
 * Headers that only the connection itself may set, because they decide where a request goes and where it ends. The
 * compiler refuses them too.
 */
export const RESERVED_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*)$/i;
