import type { Accept } from "../http/replicas.js";
import type { PrimaryLink } from "./primary-link.js";

/** Takes the connections that the primary process hands over, in the way in which Node's servers take their own. */
export function acceptFrom(link: PrimaryLink): Accept {
  return (listener, { port }, connections) => {
    let isStopped = false;
    const { allowHalfOpen } = listener as { readonly allowHalfOpen?: boolean };
    link.on("connection", (_message, socket) => {
      if (isStopped || socket === undefined) return void socket?.destroy();
      socket.allowHalfOpen = allowHalfOpen === true;
      socket.setNoDelay(true);
      listener.emit("connection", socket);
    });
    // Node looks for slow requests from then on.
    listener.emit("listening");
    return {
      port,
      stop: () => {
        if (!isStopped) listener.close();
        isStopped = true;
        return connections.whenNone();
      },
    };
  };
}
