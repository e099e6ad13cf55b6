import { config } from "zod/v4/core";

// Without this, zod would try `eval`, which the page's Content-Security-Policy reports as an attack.
config({ jitless: true });
