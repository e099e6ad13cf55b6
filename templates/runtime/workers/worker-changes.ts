import type { LiveState } from "../changes/live-state.js";
import type { SwitchMessage } from "./messages.js";
import type { PrimaryLink } from "./primary-link.js";

const SWITCHED = ["tools", "resources", "prompts"] as const;

/** Sends the events of this worker to the clients of the others, and theirs to its own clients. */
export function shareEvents(link: PrimaryLink, { events }: LiveState): void {
  events.relay = (event, principal) => link.send({ kind: "event", event, principal });
  events.relayPossibleChanges = () => link.send({ kind: "event" });
  link.on("event", ({ event, principal }) => {
    if (event === undefined) events.reportPossibleChanges();
    else events.deliver(event, principal);
  });
}

/**
 * Keeps the switches of all workers equal. The primary process sends each change to all workers, also to the one that made
 * it, so that all end with the same one. Until its own change comes back, a worker ignores those that were before it.
 */
export function shareSwitches(link: PrimaryLink, state: LiveState): void {
  /** How many changes of a switch have not come back yet, by its kind and name. */
  const unseen = new Map<string, number>();
  for (const items of SWITCHED) {
    state[items].onSwitch = (name, isOn) => {
      const change = { kind: "switch", items, name, isOn } as const;
      unseen.set(keyOf(change), (unseen.get(keyOf(change)) ?? 0) + 1);
      link.send(change);
    };
  }
  link.on("switch", ({ isOwn, ...change }) => {
    const key = keyOf(change);
    const left = (unseen.get(key) ?? 0) - (isOwn ? 1 : 0);
    if (left > 0) unseen.set(key, left);
    else unseen.delete(key);
    if (left <= 0) state[change.items].apply(change.name, change.isOn);
  });
}

function keyOf({ items, name }: SwitchMessage): string {
  return `${items}/${name}`;
}
