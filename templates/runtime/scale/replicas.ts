import type { ServerDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import { limitsOf } from "../engine/limits.js";
import type { ScaleDefinition } from "./definition.js";
import type { Replicas } from "../http/replicas.js";
import type { StartingProcess } from "../start/transport.js";
import { SettingError } from "../engine/errors.js";
import { RedisConnection } from "./redis-connection.js";

/** The version of what is stored in Redis. Replicas of different versions do not read each other's keys. */
const FORMAT = "v1";

/**
 * Connects this process with the other replicas of the server through Redis. If the environment variable with the
 * URL of Redis is not set, the process shares nothing, and the result is undefined.
 *
 * @throws SettingError if Redis cannot be used
 */
export async function joinReplicas(
  definition: ServerDefinition,
  { env, controls, log }: StartingProcess,
): Promise<Replicas | undefined> {
  const { scale } = definition;
  if (scale === undefined) return undefined;
  const { [scale.redis.env]: url } = env as Readonly<Record<string, unknown>>;
  if (url === undefined) {
    log.info("this process shares nothing with others", { unset: scale.redis.env });
    return undefined;
  }
  const redis = new RedisConnection(checkedUrl(scale, url), prefixOf(definition), log);
  const limits = limitsOf(definition, env);
  const sharing = { definition, share: scale.share, limits, log };
  if (controls !== undefined) definition.shareChanges?.(redis, sharing, controls);
  const rates = definition.shareRates?.(redis, sharing);
  const nonces =
    definition.usesNonces === true
      ? (await import("./shared-nonces.js")).shareNonces(redis)
      : undefined;
  const taskStore = definition.tools.some(({ task }) => task !== undefined)
    ? (await import("./shared-tasks.js")).shareTasks(redis, sharing)
    : undefined;
  const accountStore =
    definition.keepsAccounts === true
      ? (await import("./shared-accounts.js")).shareAccounts(redis)
      : undefined;
  await open(redis, scale);
  return {
    get problem() {
      return redis.problem;
    },
    close: () => redis.close(),
    ...(rates === undefined ? {} : { rates }),
    ...(nonces === undefined ? {} : { nonces }),
    ...(taskStore === undefined ? {} : { taskStore }),
    ...(accountStore === undefined ? {} : { accountStore }),
  };
}

/** The start of the names of all keys and channels of the server. */
function prefixOf({ info }: ServerDefinition): string {
  return `mcp:${info.name}:${FORMAT}:`;
}

/** @throws SettingError if the value is no URL of Redis */
function checkedUrl({ redis }: ScaleDefinition, value: unknown): string {
  const url = String(value);
  if (/^rediss?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new SettingError(`${redis.env} must be a URL that begins with redis:// or rediss://`);
}

/** @throws SettingError without any part of the URL, which may hold a password */
async function open(redis: RedisConnection, scale: ScaleDefinition): Promise<void> {
  try {
    await redis.open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : describeError(error);
    throw new SettingError(`Redis cannot be used, which ${scale.redis.env} names: ${reason}`);
  }
}
