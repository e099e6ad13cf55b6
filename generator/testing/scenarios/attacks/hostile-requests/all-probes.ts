import { bodyProbes } from "./body-probes.js";
import { httpProbes } from "./http-probes.js";
import { itemProbes } from "./item-probes.js";
import { loadProbes } from "./load-probes.js";
import { processProbes } from "./process-probes.js";
import { schemaProbes } from "./schema-probes.js";
import { statefulProbes } from "./stateful-probes.js";
import { unreadProbes } from "./unread-probes.js";
import type { Probes } from "./probes.js";

/** A probe for every row of the shared lists that can be tried against a generated server. */
export const probes: Probes = {
  ...bodyProbes,
  ...httpProbes,
  ...itemProbes,
  ...loadProbes,
  ...processProbes,
  ...statefulProbes,
  ...schemaProbes,
  ...unreadProbes,
};
