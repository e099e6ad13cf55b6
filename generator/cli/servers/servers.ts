export { startPreview } from "../preview/preview-server.js";
export { startReplay } from "../record/replay-server.js";
export { startAuthor } from "./author-server.js";
export { skillProblems } from "./skill-problems.js";
