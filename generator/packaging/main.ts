import { writeAgentDocuments } from "./agent-documents.js";
import { bundle } from "./bundle.js";
import { buildRuntimePackage } from "./runtime-package.js";

/** The last step of `npm run build`. The runtime contains the page, which `bundle` builds. */
await buildRuntimePackage(await bundle());
await writeAgentDocuments();
