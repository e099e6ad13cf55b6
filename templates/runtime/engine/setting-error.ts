/** A setting with which the server cannot start. The message says what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
