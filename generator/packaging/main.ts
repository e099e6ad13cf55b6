import { bundle } from "./bundle.js";

/** The last step of `npm run build`. */
await bundle();
