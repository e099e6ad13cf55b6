import { createServices } from "../src/context.ts";
import type { Services } from "../src/generated/index.ts";

/** The generated tests read the library's own data, which no example changes. */
export const services: Partial<Services> = await createServices();
