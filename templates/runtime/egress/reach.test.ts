import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindOf } from "./addresses.js";
import { hostRefusal, permittedLookup, refusalOf, type Lookup } from "./reach.js";

const OTHER_ORIGIN = /not public and not of its own origin/;
const NOT_PRIVATE = /not public, which is refused without `private: true`/;
const METADATA = /link-local or metadata address that the manifest does not name/;

/** What is refused: the manifest's URL, whether it is private, the target, the address, and the message. */
const CASES: readonly (readonly [string, boolean, string, string, RegExp | undefined])[] = [
  ["https://api.example", false, "https://api.example/x", "8.8.8.8", undefined],
  ["https://api.example", false, "https://other.example/", "8.8.8.8", undefined],
  ["https://api.example", false, "https://api.example/", "10.0.0.1", NOT_PRIVATE],
  ["https://api.example", true, "https://api.example/", "10.0.0.1", undefined],
  ["https://api.example", true, "https://API.example:443/", "127.0.0.1", undefined],
  ["https://api.example", true, "https://api.example./", "10.0.0.1", OTHER_ORIGIN],
  ["https://api.example", true, "https://api.example:444/", "10.0.0.1", OTHER_ORIGIN],
  ["https://api.example", true, "http://api.example/", "10.0.0.1", OTHER_ORIGIN],
  ["https://api.example", true, "https://sub.api.example/", "10.0.0.1", OTHER_ORIGIN],
  ["https://api.example", true, "https://other.example/", "8.8.8.8", undefined],
  ["https://api.example", true, "https://api.example/", "169.254.169.254", METADATA],
  ["https://api.example", true, "https://api.example/", "fd00:ec2::254", METADATA],
  ["https://api.example", true, "https://api.example/", "168.63.129.16", METADATA],
  ["https://api.example", true, "https://api.example/", "100.100.100.200", METADATA],
  ["https://api.example", true, "https://api.example/", "64:ff9b::a9fe:a9fe", METADATA],
  ["https://api.example", false, "https://api.example/", "169.254.169.254", METADATA],
  ["http://10.0.0.1", true, "http://169.254.169.254/latest", "169.254.169.254", METADATA],
  ["http://169.254.169.254", true, "http://169.254.169.254/latest", "169.254.169.254", undefined],
  ["http://169.254.169.254", true, "http://2852039166/latest", "169.254.169.254", undefined],
  ["http://169.254.169.254", true, "http://169.254.169.254:81/", "169.254.169.254", METADATA],
  ["http://169.254.169.254", true, "http://169.254.170.2/", "169.254.170.2", METADATA],
  ["http://169.254.169.254", false, "http://169.254.169.254/", "169.254.169.254", NOT_PRIVATE],
  ["http://[fd00:ec2::254]", true, "http://[fd00:ec2::254]/", "fd00:ec2::254", undefined],
];

for (const [own, isPrivate, target, address, message] of CASES) {
  const what = message === undefined ? "may" : "must not";
  const access = isPrivate ? "private" : "public";
  test(`for ${own} (${access}), ${target} ${what} be reached at ${address}`, () => {
    const reach = { ownOrigin: new URL(own).origin, isPrivate };
    const refusal = refusalOf(kindOf(address), new URL(target), reach);
    if (message === undefined) assert.is(refusal, undefined);
    else assert.match(refusal?.message ?? "", message);
  });
}

test("through a proxy, the name localhost of another origin is refused", () => {
  const reach = { ownOrigin: "http://localhost:8080", isPrivate: true };
  assert.is(hostRefusal(new URL("http://localhost:8080/x"), reach), undefined);
  for (const target of [
    "http://localhost/",
    "http://localhost.:8080/",
    "http://a.localhost:8080/",
  ]) {
    assert.match(hostRefusal(new URL(target), reach)?.message ?? "", OTHER_ORIGIN, target);
  }
});

test("of the addresses of a name, a socket gets the permitted ones only, in both forms of a lookup", () => {
  const addresses = ["169.254.169.254", "10.0.0.1", "8.8.8.8"].map((address) => ({
    address,
    family: 4,
  }));
  const lookup: Lookup = (_name, callback) => callback(null, addresses);
  const found = (isPrivate: boolean, all: boolean): unknown => {
    let result: unknown;
    const reach = { ownOrigin: "http://api.example", isPrivate };
    const permitted = permittedLookup(new URL("http://api.example"), reach, lookup);
    permitted("api.example", { all }, (error, address) => (result = error ?? address));
    return result;
  };
  assert.equal(found(false, true), addresses.slice(2));
  assert.equal(found(true, true), addresses.slice(1));
  assert.is(found(false, false), "8.8.8.8");
  assert.is(found(true, false), "10.0.0.1");
});

test.run();
