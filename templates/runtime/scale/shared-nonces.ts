import { maxRedeemed, type Nonces, type Redemption } from "../consent/nonces.js";
import type { RedisConnection } from "./redis-connection.js";

/**
 * Redeems a nonce in one step of Redis. The sorted sets of all nonces and of those of the holder are scored with the time at
 * which each expires, by the clock of Redis, so that replicas whose clocks differ forget none too early.
 */
const REDEEM = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nonce, life = ARGV[1], tonumber(ARGV[2])
for _, key in ipairs(KEYS) do redis.call("ZREMRANGEBYSCORE", key, "-inf", now) end
if redis.call("ZSCORE", KEYS[1], nonce) then return "used" end
for index, key in ipairs(KEYS) do
  if redis.call("ZCARD", key) >= tonumber(ARGV[2 + index]) then return "full" end
end
for _, key in ipairs(KEYS) do
  redis.call("ZADD", key, now + life, nonce)
  if redis.call("PTTL", key) < life then redis.call("PEXPIRE", key, life) end
end
return "redeemed"`;

/**
 * Remembers in Redis which nonces were redeemed, so that each is of use once for all replicas together. As many are
 * remembered as by one process.
 */
export function shareNonces(redis: RedisConnection): Nonces {
  return {
    issuer: "redis",
    redeem: async (nonce, expires, holder) => {
      const { commands } = redis;
      if (commands === undefined) return "unknown";
      const life = Math.max(1, Math.ceil(expires - Date.now()));
      const key = `${redis.prefix}nonces`;
      const values = [nonce, life, maxRedeemed.ofAll, maxRedeemed.ofHolder];
      return commands
        .eval(REDEEM, { keys: [key, `${key}:${holder}`], arguments: values.map(String) })
        .then(
          (answer) => answer as Redemption,
          // Without an answer of Redis, nobody can tell whether it was redeemed before.
          () => "unknown",
        );
    },
  };
}
