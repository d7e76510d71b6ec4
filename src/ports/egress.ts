/**
 * All network access goes through this port. Hosts that are not on the allow-list are refused before a connection is
 * made, also as targets of a redirect: `fetch` throws FORBIDDEN, which names host and list. Loopback is no exception.
 */
export interface Egress {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** An egress restricted to the intersection of both lists (a contract's `network.allow`). It never widens. */
  within(allow: readonly string[]): Egress;
}
