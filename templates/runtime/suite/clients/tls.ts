import { mkdtempSync, writeFileSync } from "node:fs";
import { request as startRequest, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { TestTls } from "./http.js";
import { selfSignedCertificate } from "./self-signed-certificate.js";

let made: TestTls | undefined;

/** The client parts for TLS, with a certificate that is made at the first call in this run of the tests. */
export function testTls(): TestTls {
  return (made ??= clientPartsFor(selfSignedCertificate()));
}

const clientPartsFor = (certificate: ReturnType<typeof selfSignedCertificate>): TestTls => ({
  authority: certificate.cert,
  writeFiles: () => {
    const folder = mkdtempSync(join(tmpdir(), "tls-"));
    const files = { folder, cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
    writeFileSync(files.cert, certificate.cert);
    writeFileSync(files.key, certificate.key, { mode: 0o600 });
    return files;
  },
  fetch: async (input) => {
    const { url, method, headers, signal } = input;
    const body = Buffer.from(await input.arrayBuffer());
    const options = { method, headers: Object.fromEntries(headers), signal, ca: certificate.cert };
    const answer = await send(url, options, body);
    return toResponse(answer);
  },
});

function send(url: string, options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    startRequest(url, options, resolve).on("error", reject).end(body);
  });
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 500, headers } = answer;
  const isEmpty = status === 204 || status === 304;
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream);
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? []].flat().join(", "),
  ]);
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    headers: texts,
  });
}
