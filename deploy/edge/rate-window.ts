const WINDOW_MS = 60_000;
/** Bounds the memory. A window with more addresses than this counts the further ones together. */
const MAX_ADDRESSES = 20_000;

/**
 * Counts requests per address in fixed windows of a minute, in the memory of one isolate. Cloudflare runs many isolates and ends them
 * at will, so an address may get more than the limit in all; the gateway's own limits stay the ones that hold.
 */
export class RateWindow {
  #began = 0;
  readonly #counts = new Map<string, number>();

  /** Seconds to wait; undefined if the request is within the limit. */
  take(address: string, perMinute: number, now: number): number | undefined {
    if (now - this.#began >= WINDOW_MS) {
      this.#began = now;
      this.#counts.clear();
    }
    const network = networkOf(address);
    const name = this.#counts.has(network) || this.#counts.size < MAX_ADDRESSES ? network : "";
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count > perMinute ? Math.ceil((this.#began + WINDOW_MS - now) / 1000) : undefined;
  }
}

/** The first 64 bits of an IPv6 address: one customer has all the addresses behind them. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const behind = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length;
  return [...groups, ...Array.from({ length: Math.max(zeros, 0) }, () => "0"), ...behind].slice(0, 4).join(":");
}
