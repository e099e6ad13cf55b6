import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Resolver } from "node:dns";
import type { Lookup } from "../egress/reach.js";

/** A name server of this machine whose names change from question to question. */
export interface DnsServer {
  /** The names that were asked for. */
  readonly asked: string[];
  /** Asks the server for the IPv4 addresses of a name. */
  readonly lookup: Lookup;
  close(): void;
}

const HEADER_LENGTH = 12;
/** A response without an error, which the client asked to be resolved to the end. */
const RESPONSE_FLAGS = 0x8180;
/** The record's name is that of the question; type A, class IN, no time to live, four bytes of address. */
const RECORD_START = Buffer.from([0xc0, HEADER_LENGTH, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);

/** Opens a name server. @param answers the IPv4 addresses in the answer to each question; the last one again and again */
export async function openDnsServer(
  ...answers: readonly (readonly string[])[]
): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = nameIn(query);
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    const header = Buffer.from(query.subarray(0, HEADER_LENGTH));
    header.writeUInt16BE(RESPONSE_FLAGS, 2);
    [1, addresses.length, 0, 0].forEach((count, index) =>
      header.writeUInt16BE(count, 4 + 2 * index),
    );
    const records = addresses.map((one) =>
      Buffer.concat([RECORD_START, Buffer.from(one.split(".").map(Number))]),
    );
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_LENGTH, end), ...records]),
      port,
      address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new Resolver({ tries: 1, timeout: 5_000 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const lookup: Lookup = (name, callback) => {
    resolver.resolve4(name, (error, found = []) => {
      callback(
        error,
        found.map((address) => ({ address, family: 4 })),
      );
    });
  };
  return { asked, lookup, close: () => void socket.close() };
}

/** The name of the question in a query, and the index after the question. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5 };
}
