/** What the validators of generated projects call. People need none of it. */
export * from "./validators/called-functions.js";
export * from "./validators/checks.js";
export * from "./validators/dates.js";
export * from "./validators/formats.js";
export * from "./validators/hostnames.js";
export * from "./validators/unions.js";
export * from "./validators/values.js";
