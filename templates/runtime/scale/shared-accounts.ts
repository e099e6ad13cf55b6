import { ToolError } from "../engine/errors.js";
import { randomUUID } from "node:crypto";
import {
  MAX_ATTEMPTS,
  UNUSED_MS,
  WAITING_MS,
  type AccountStore,
} from "../linked-accounts/store.js";
import type { RedisConnection } from "./redis-connection.js";

/** How long a refresh may take before another replica may try, in milliseconds. */
const LOCK_MS = 30_000;

const REPLACE = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == "" then redis.call("DEL", KEYS[1]) else redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3]) end
return 1`;

const FORGET = `
redis.call("DEL", KEYS[2])
return redis.call("DEL", KEYS[1])`;

const OFFER = `
redis.call("DEL", KEYS[1])
redis.call("HSET", KEYS[1], "text", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1`;

const ATTEMPT = `
if redis.call("EXISTS", KEYS[1]) == 0 then return "" end
if redis.call("HINCRBY", KEYS[1], "attempts", 1) > tonumber(ARGV[1]) then
  redis.call("DEL", KEYS[1])
  return ""
end
return redis.call("HGET", KEYS[1], "text")`;

const ACCEPT = `
if redis.call("HGET", KEYS[2], "text") ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[2])
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`;

const LOCK = `return redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) and 1 or 0`;

const UNLOCK = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1`;

/** Keeps the accounts of callers in Redis, for all replicas. Redis gets encrypted texts only. */
export function shareAccounts(redis: RedisConnection): AccountStore {
  const accountAt = (key: string): string => `${redis.prefix}account:${key}`;
  const waitingAt = (key: string): string => `${redis.prefix}waiting-account:${key}`;
  const run = async (script: string, keys: string[], ...values: unknown[]): Promise<unknown> => {
    const { commands } = redis;
    if (commands === undefined) throw unavailable();
    return commands.eval(script, { keys, arguments: values.map(String) }).catch(() => {
      throw unavailable();
    });
  };
  return {
    get: async (key) => {
      const { commands } = redis;
      if (commands === undefined) throw unavailable();
      const text = await commands.get(accountAt(key)).catch(() => {
        throw unavailable();
      });
      return text ?? undefined;
    },
    replace: async (key, read, next = "") =>
      (await run(REPLACE, [accountAt(key)], read, next, UNUSED_MS)) === 1,
    forget: async (key) => (await run(FORGET, [accountAt(key), waitingAt(key)])) === 1,
    offer: async (key, waiting) => {
      await run(OFFER, [waitingAt(key)], waiting, WAITING_MS);
    },
    attempt: async (key) => {
      const text = await run(ATTEMPT, [waitingAt(key)], MAX_ATTEMPTS);
      return typeof text === "string" && text !== "" ? text : undefined;
    },
    accept: async (key, waiting, account) =>
      (await run(ACCEPT, [accountAt(key), waitingAt(key)], waiting, account, UNUSED_MS)) === 1,
    lock: async (key) => {
      const lockKey = `${redis.prefix}account-lock:${key}`;
      const owner = randomUUID();
      if ((await run(LOCK, [lockKey], owner, LOCK_MS)) !== 1) return undefined;
      return async () => {
        // A lock that cannot be given back ends by itself.
        await run(UNLOCK, [lockKey], owner).catch(() => undefined);
      };
    },
  };
}

function unavailable(): ToolError {
  return new ToolError(
    "The server cannot read the accounts of its callers at the moment. Try again in a minute.",
  );
}
