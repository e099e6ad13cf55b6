export { startPreview } from "../preview/preview-server.js";
export { startAuthor } from "./author-server.js";
