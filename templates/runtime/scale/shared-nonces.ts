import type { Nonces } from "../consent/nonces.js";
import type { RedisConnection } from "./redis-connection.js";

/** Remembers in Redis which nonces were redeemed, so that each is of use once for all replicas together. */
export function shareNonces(redis: RedisConnection): Nonces {
  return {
    issuer: "redis",
    redeem: async (nonce, expires) => {
      const { commands } = redis;
      if (commands === undefined) return "unknown";
      const life = Math.max(1, Math.ceil(expires - Date.now()));
      const key = `${redis.prefix}nonce:${nonce}`;
      // Without an answer of Redis, nobody can tell whether it was redeemed before.
      return commands.set(key, "1", { NX: true, PX: life }).then(
        (set) => (set === "OK" ? "redeemed" : "used"),
        () => "unknown",
      );
    },
  };
}
