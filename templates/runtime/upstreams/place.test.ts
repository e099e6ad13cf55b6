import { test } from "uvu";
import * as assert from "uvu/assert";
import type { BaseUrl } from "./connection.js";
import { placeBelow } from "./place.js";

const base: BaseUrl = { origin: "http://api.example", pathname: "/v1", search: "", names: [] };

/** Parts of paths and queries, among them all that a URL changes. */
const parts = [
  ...["/", "//", "a", "users", "é", "%20", "%2e", "%2E%2e", ".", "..", "a.b", ".well-known", ""],
  ...[" ", '"', "'", "<", ">", "`", "{", "}", "|", "^", "\\", "[", "]", "%", "%zz", "~", "@", ":"],
  ...["?", "#", "&", "=", "+", ",", ";", "!", "$", "(", ")", "*", "-", "_", "\t", "\n", "\u0000"],
];

/** A generator of numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The place as a URL alone would tell it; undefined if the path leads elsewhere. */
function placeByUrl(path: string, query: string): object | undefined {
  const [pathname = ""] = path.split(/[?#]/, 1);
  const own = path.slice(pathname.length);
  if (!path.startsWith("/") || own.includes("#")) return undefined;
  const url = new URL(`${base.origin}${base.pathname}${pathname}`);
  if (url.pathname !== base.pathname + pathname) return undefined;
  url.search = [own.slice(1), query].filter((part) => part !== "").join("&");
  return { origin: url.origin, path: url.pathname + url.search };
}

test("an address without a URL is judged like the same address in a URL", () => {
  const next = numbers(7);
  const some = (most: number): string =>
    Array.from({ length: next(most) }, () => parts[next(parts.length)]).join("");
  let found = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const path = `${next(10) === 0 ? "" : "/"}${some(6)}`;
    const query = some(4).replaceAll("#", "");
    const place = placeBelow(base, path, query);
    assert.equal(place, placeByUrl(path, query), JSON.stringify([path, query]));
    if (place !== undefined) found += 1;
  }
  assert.ok(found > 2_000, `${found} paths lead below the base URL`);
});

test.run();
