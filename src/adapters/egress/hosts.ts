import { BlockList, isIP } from "node:net";
import type { GardenConfig } from "../../domain/config/garden-config.ts";

/**
 * True if a line of an allow-list (garden.yaml, contracts) matches: `example.com`, `*.example.com` (subdomains only), each with
 * `:port` or for the default port. An IP address matches only its own line, never a pattern.
 */
export function isListed(allow: readonly string[], url: URL): boolean {
  const host = hostOf(url);
  const port = url.port === "" ? undefined : url.port;
  return allow.some((line) => {
    const [name = "", wanted] = line.split(":");
    if (wanted === undefined ? port !== undefined : wanted !== (port ?? defaultPort(url))) return false;
    if (!name.startsWith("*.")) return name === host;
    return isIP(host) === 0 && host.endsWith(name.slice(1)) && host.length > name.length - 1;
  });
}

/** `example.com` of `https://EXAMPLE.com.:443/x`. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** The host as a person would write it into the list. */
export const shownHost = (url: URL): string => (url.port === "" ? hostOf(url) : `${hostOf(url)}:${url.port}`);

const defaultPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

/**
 * True if a listed name may be reached at this address. Public addresses always; an address of this machine or the local
 * network only if the list contains the address itself, because the owner of a listed name could point it at the router.
 * `localhost` may resolve to loopback addresses.
 */
export function isAddressAllowed(allow: readonly string[], url: URL, address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (!nonPublic.check(address, family === 6 ? "ipv6" : "ipv4")) return true;
  if (hostOf(url) === "localhost") return loopback.check(address, family === 6 ? "ipv6" : "ipv4");
  const there = new URL(url);
  there.hostname = family === 6 ? `[${address}]` : address;
  return isListed(allow, there);
}

/**
 * Non-public ranges: this machine, local networks, link-local, benchmarks, multicast, and their translations. IPv4-mapped IPv6
 * addresses (`::ffff:127.0.0.1`) are matched against the IPv4 ranges.
 */
const nonPublic = new BlockList();
for (const range of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
]) {
  const [network = "", bits] = range.split("/");
  nonPublic.addSubnet(network, Number(bits), "ipv4");
}
for (const range of ["::/127", "64:ff9b::/96", "2002::/16", "fc00::/7", "fe80::/10", "ff00::/8"]) {
  const [network = "", bits] = range.split("/");
  nonPublic.addSubnet(network, Number(bits), "ipv6");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** The allow-list of a garden: its `egress` setting and the hosts of its configured models and reader. */
export const listedHosts = ({
  egress,
  models,
  reader,
}: Pick<GardenConfig, "egress" | "models" | "reader">): string[] => [
  ...new Set([
    ...egress,
    ...[...Object.values(models), ...("url" in reader ? [reader] : [])].map(({ url }) => shownHost(new URL(url))),
  ]),
];
