import type { ToolHandler } from "../generated/index.js";

/** Greets a person by name. */
export const greet: ToolHandler<"greet"> = ({ name }) => `Hello, ${name}!`;
