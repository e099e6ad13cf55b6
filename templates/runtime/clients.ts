/** The command that adds a checkout to the settings of a client. It needs the package `jsonc-parser`. */
export { installClient, type InstallableServer } from "./clients/install-client.js";
