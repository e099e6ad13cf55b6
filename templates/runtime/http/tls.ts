import { constants } from "node:crypto";
import type { ServerOptions } from "node:http";
import { createServer } from "node:https";
import { resolve } from "node:path";
import type { TlsOptions } from "node:tls";
import { readRegularFile } from "../engine/regular-file.js";
import type { Environment } from "../start/env.js";
import { SettingError } from "../engine/errors.js";
import { listen } from "./listener.js";
import type { Listen } from "./transport.js";

/**
 * `listen`, over TLS if an endpoint of the address has it.
 * @throws SettingError if the environment names no files, or files that cannot be used
 */
export const listenWithTls: Listen = (server, endpoints, environment = process.env) => {
  const tls = endpoints
    .map(({ definition }) => (definition.type === "http" ? definition.tls : undefined))
    .find((definition) => definition !== undefined);
  if (tls === undefined) return listen(server, endpoints);
  const read = (variable: string): Buffer => readNamed(variable, server.root, environment);
  const files = { cert: read(tls.cert), key: read(tls.key) };
  return listen(server, endpoints, (options, answer) => {
    try {
      return createServer({ ...options, ...files, ...secureSettings(options) }, answer);
    } catch (error) {
      const { message } = error as Error;
      throw new SettingError(`${tls.cert} and ${tls.key} name files that do not serve: ${message}`);
    }
  });
};

/** A handshake has the time limit of a request's headers. Renegotiation is not allowed. */
function secureSettings({ headersTimeout }: ServerOptions): TlsOptions {
  return {
    minVersion: "TLSv1.2",
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(headersTimeout !== undefined && { handshakeTimeout: headersTimeout }),
  };
}

/** The content of the file whose path, relative to the project's folder, is in this environment variable. */
function readNamed(variable: string, root: string, environment: Environment): Buffer {
  const path = environment[variable];
  if (path === undefined || path === "") {
    throw new SettingError(`${variable} is not set; it must hold the path of a PEM file`);
  }
  try {
    return readRegularFile(resolve(root, path));
  } catch (error) {
    throw new SettingError(`${variable}: ${(error as Error).message}`);
  }
}
