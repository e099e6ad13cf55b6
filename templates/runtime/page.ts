/** The page for people as a file, for any web host. */
export { writePage } from "./page/write-page.js";
