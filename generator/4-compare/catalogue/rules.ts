/** The rules of the semantic comparison by subject, but for those of items and of kinds of bodies. */

export * from "./abilities.js";
export * from "./access.js";
export * from "./asking.js";
export * from "./audit.js";
export * from "./authentication.js";
export * from "./bodies.js";
export * from "./deploy.js";
export * from "./deprecation.js";
export * from "./exposure.js";
export * from "./extensions.js";
export * from "./package.js";
export * from "./prompts.js";
export * from "./resources.js";
export * from "./restrictions.js";
export * from "./schemas.js";
export * from "./server.js";
export * from "./serving.js";
export * from "./skills.js";
export * from "./texts.js";
export * from "./tools.js";
export * from "./upstreams.js";
