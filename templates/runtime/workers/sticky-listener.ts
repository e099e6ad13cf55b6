import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { clientOf } from "../http/rate-limit.js";
import type { ListenAddress } from "../start/transport.js";

/**
 * Accepts connections, and hands all of one address to the same worker, which has its sessions. While that is replaced,
 * the next one that serves gets them.
 * @param hand Hands a connection to a worker. Returns false if that does not serve.
 * @returns the port
 * @throws Error if the address cannot be listened on
 */
export async function listenSticky(
  { host, port }: ListenAddress,
  count: number,
  hand: (worker: number, socket: Socket) => boolean,
): Promise<number> {
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on("error", () => undefined);
    const first = workerOf(socket.remoteAddress ?? "", count);
    for (let next = 0; next < count; next++) {
      if (hand(((first - 1 + next) % count) + 1, socket)) return;
    }
    socket.destroy();
  });
  listener.listen(port, host);
  await once(listener, "listening");
  return (listener.address() as AddressInfo).port;
}

/** The number of the worker that serves an address. All addresses of an IPv6 /64 network have the same one. */
export function workerOf(address: string, count: number): number {
  return (createHash("sha256").update(clientOf(address)).digest().readUInt32BE() % count) + 1;
}
