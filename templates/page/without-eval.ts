import { config } from "zod/v4/core";

// The SDK's checks would try whether the page may make code of strings, which its policy reports as an attack.
config({ jitless: true });
