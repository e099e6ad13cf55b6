import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate of localhost for tests, and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a self-signed certificate, so that tests of TLS need no file and no other program. */
export function selfSignedCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(commonName), der(0x0c, Buffer.from("localhost")))));
  const algorithm = sequence(oid(ecdsaWithSha256));
  const year = new Date().getUTCFullYear();
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(startOfYear(year), startOfYear(year + 2)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension(basicConstraints, isAuthority), extension(otherNames, addresses))),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(
    toBeSigned,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const base64 = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Encoded object identifiers. */
const commonName = "550403";
const ecdsaWithSha256 = "2a8648ce3d040302";
const basicConstraints = "551d13";
const otherNames = "551d11";

const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
const addresses = sequence(
  der(0x82, Buffer.from("localhost")),
  der(0x87, Buffer.from([127, 0, 0, 1])),
  der(0x87, Buffer.from([...Array<number>(15).fill(0), 1])),
);

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(oid(identifier), der(0x04, value));
}

function startOfYear(year: number): Buffer {
  return der(0x18, Buffer.from(`${year}0101000000Z`));
}

function oid(hexadecimal: string): Buffer {
  return der(0x06, Buffer.from(hexadecimal, "hex"));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

/** Encodes a value in DER: its tag, its length and its content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
