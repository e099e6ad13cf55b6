import type { Connection, TokenRefused } from "../connection/connection.js";

/** The properties of the views of all kinds of items. */
export interface ItemViewProps<Listed> {
  readonly item: Listed;
  /** Undefined on a static page, which cannot call the server. */
  readonly connection: Connection | undefined;
  readonly onRefused: ((refused?: TokenRefused) => void) | undefined;
}
