import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindOf, kindOfHost, type AddressKind } from "./addresses.js";

/** Addresses by what they are. Nothing connects to them here. */
const ADDRESSES: readonly (readonly [AddressKind, what: string, addresses: readonly string[]])[] = [
  ["public", "IPv4", ["8.8.8.8", "93.184.216.34", "168.63.129.15", "169.253.255.255"]],
  ["public", "IPv6", ["2606:4700::1111", "::ffff:8.8.8.8", "2620:fe::fe"]],
  ["private", "loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  ["private", "unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["private", "private networks", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]],
  ["private", "unique local addresses", ["fc00::1", "fdff::1", "fec0::1", "fd00::a9fe:a9fe"]],
  ["private", "carrier-grade NAT", ["100.64.0.1", "100.127.255.254"]],
  ["private", "IPv4 in IPv6", ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1"]],
  ["private", "old IPv4 in IPv6", ["::127.0.0.1", "::7f00:1", "::808:808", "::ffff:0:7f00:1"]],
  ["private", "NAT64 and tunnels", ["64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"]],
  ["private", "reserved IPv4", ["192.0.2.1", "198.18.0.1", "203.0.113.1", "240.0.0.1"]],
  ["private", "reserved IPv6", ["2001:db8::1", "100::1", "3fff::1", "5f00::1"]],
  ["private", "multicast and broadcast", ["224.0.0.1", "255.255.255.255", "ff02::1"]],
  ["private", "no address", ["", "localhost", "1.2.3.4.5", "::g", "[::1]"]],
  ["metadata", "link-local IPv4", ["169.254.169.254", "169.254.170.2", "169.254.0.1"]],
  ["metadata", "link-local IPv6", ["fe80::1", "fe80::1%eth0", "febf::1"]],
  ["metadata", "of clouds", ["fd00:ec2::254", "FD00:0EC2:0:0:0:0:0:0254", "fd20:ce::254"]],
  ["metadata", "of clouds, IPv4", ["168.63.129.16", "100.100.100.200", "192.0.0.192"]],
  ["metadata", "mapped", ["::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::ffff:168.63.129.16"]],
  ["metadata", "embedded", ["64:ff9b::a9fe:a9fe", "64:ff9b::a83f:8110", "2002:a9fe:a9fe::1"]],
  ["metadata", "embedded as once", ["::169.254.169.254", "::a9fe:a9fe", "::ffff:0:a9fe:a9fe"]],
];

for (const [kind, what, addresses] of ADDRESSES) {
  test(`${what}: ${addresses.join(" ")} count as ${kind}`, () => {
    for (const address of addresses) assert.is(kindOf(address), kind, address);
  });
}

test("the host of a URL has a kind if it is an address in any form or localhost", () => {
  for (const [host, kind] of [
    ["127.1", "private"],
    ["2852039166", "metadata"],
    ["0xa9.254.43518", "metadata"],
    ["0250.077.0201.020.", "metadata"],
    ["[::ffff:a9fe:a9fe]", "metadata"],
    ["[fd00:ec2::254]", "metadata"],
    ["localhost", "private"],
    ["API.LocalHost.", "private"],
    ["8.8.8.8", "public"],
    ["localhost.example", undefined],
    ["metadata.example", undefined],
  ] as const) {
    assert.is(kindOfHost(new URL(`http://${host}/`).hostname), kind, host);
  }
});

test.run();
