import { BlockList, isIP } from "node:net";
import type { GardenConfig } from "../../domain/config/garden-config.ts";

/**
 * Lines of an allow-list, as they stand in garden.yaml and in contracts: `example.com`, `*.example.com` (what is below it, not
 * itself), each with `:port` or for the port of the protocol. An address is reached by its own line only, never by a pattern.
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

/** `example.com` of `https://EXAMPLE.com.:443/x`: how names are compared. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** As a person would write it into the list. */
export const shownHost = (url: URL): string => (url.port === "" ? hostOf(url) : `${hostOf(url)}:${url.port}`);

const defaultPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

/**
 * Whether this name may be reached at this address. A public address, always: that is what listing a name means. One of this
 * machine or of the local network, only if the list has the address itself, whatever the name is: otherwise whoever has a
 * listed name could point it at the router. `localhost` is the one name that says by itself where it leads.
 */
export function mayBeAt(allow: readonly string[], url: URL, address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (!closed.check(address, family === 6 ? "ipv6" : "ipv4")) return true;
  if (hostOf(url) === "localhost") return loopback.check(address, family === 6 ? "ipv6" : "ipv4");
  const there = new URL(url);
  there.hostname = family === 6 ? `[${address}]` : address;
  return isListed(allow, there);
}

/**
 * What is not the open network: this machine, local networks, links, tests, many at once, and ways around all that. Addresses
 * of four that are written as six (`::ffff:127.0.0.1`) are looked up among those of four.
 */
const closed = new BlockList();
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
  closed.addSubnet(network, Number(bits), "ipv4");
}
for (const range of ["::/127", "64:ff9b::/96", "2002::/16", "fc00::/7", "fe80::/10", "ff00::/8"]) {
  const [network = "", bits] = range.split("/");
  closed.addSubnet(network, Number(bits), "ipv6");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** The list of a garden: what the owner wrote there, and the places that other settings of theirs name. */
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
