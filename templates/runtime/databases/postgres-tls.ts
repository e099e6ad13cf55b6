import { resolve } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { readRegularFile, UnusableFileError } from "../engine/regular-file.js";
import { SettingError } from "./failures.js";

/** The parameters of a URL that name files, and the options of TLS that these files are. */
const FILES = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const;

/** All parameters of a URL from which pg makes options of TLS. */
const PARAMETERS = [...Object.keys(FILES), "ssl", "sslmode", "uselibpqcompat", "sslnegotiation"];

/** Options of pg that say where a database is, and how to reach it. */
export interface PostgresPlace {
  readonly connectionString: string;
  readonly ssl?: boolean | ConnectionOptions;
  readonly sslnegotiation?: "postgres" | "direct";
}

/**
 * The database at a URL. Files of TLS that the URL names are read here, since pg would wait for a pipe, and read a
 * device without an end. The parameters mean what they mean to pg.
 *
 * @param description of the database, for messages
 * @param root the folder where relative paths begin
 * @throws SettingError if a file cannot be read; the message does not have its path
 */
export function placeAt(url: string, description: string, root: string): PostgresPlace {
  // Errors of new URL have the URL, with its password.
  if (!URL.canParse(url)) return { connectionString: url };
  const place = new URL(url);
  const parameters: Partial<Record<string, string>> = Object.fromEntries(place.searchParams);
  const files = Object.entries(FILES).flatMap(([parameter, option]) => {
    const path = parameters[parameter];
    return path
      ? [[option, read(resolve(root, path), `${parameter} of ${description}`)] as const]
      : [];
  });
  if (files.length === 0) return { connectionString: url };
  // pg prefers what it makes from these parameters to its options.
  for (const parameter of PARAMETERS) place.searchParams.delete(parameter);
  const { sslnegotiation } = parameters;
  return {
    connectionString: place.href,
    ssl: tlsOf(Object.fromEntries(files), parameters),
    ...(sslnegotiation !== undefined && {
      sslnegotiation: sslnegotiation as "postgres" | "direct",
    }),
  };
}

function read(path: string, origin: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    const reason = error instanceof UnusableFileError ? `: ${error.message}` : "";
    throw new SettingError(`the file that ${origin} names cannot be read${reason}`);
  }
}

/** The options of TLS as pg makes them; in the way of libpq, the modes check less. */
function tlsOf(
  files: ConnectionOptions,
  { sslmode, uselibpqcompat }: Partial<Record<string, string>>,
): false | ConnectionOptions {
  if (sslmode === "disable") return false;
  if (uselibpqcompat !== "true") {
    return sslmode === "no-verify" ? { ...files, rejectUnauthorized: false } : files;
  }
  const checksAuthority = sslmode === "verify-ca" || sslmode === "require";
  if (checksAuthority && files.ca !== undefined) {
    return { ...files, checkServerIdentity: () => undefined };
  }
  if (sslmode === "verify-ca") {
    throw new SettingError("sslmode=verify-ca in the URL of a database needs sslrootcert");
  }
  const checksNothing = sslmode === "require" || sslmode === "prefer";
  return checksNothing ? { ...files, rejectUnauthorized: false } : files;
}
