/** Serves a server on runtimes whose servers are functions from a `Request` to a `Response`: workers, Deno, Bun and functions. */
export { fetchHandler, type FetchHandler, type FetchSettings } from "./fetch/handler.js";
