/** The client of the official SDK, which is loaded when a server is first used. */
export type Sdk = typeof import("@modelcontextprotocol/client");
export type { Client } from "@modelcontextprotocol/client";
