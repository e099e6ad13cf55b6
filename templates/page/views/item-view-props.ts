import type { Connection, TokenRefused } from "../connection/connection.js";

/** What the view of each kind of item gets. */
export interface ItemViewProps<Listed> {
  readonly item: Listed;
  /** Absent where nothing can be called. */
  readonly connection: Connection | undefined;
  readonly onRefused: ((refused?: TokenRefused) => void) | undefined;
}
