/** A setting that the server cannot start with; the message tells whoever starts it what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
