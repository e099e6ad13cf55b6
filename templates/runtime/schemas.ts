/** Validators for tools that are written by hand. Generated tools have compiled ones, and load none of this. */
export { validated } from "./tools/validated.js";
