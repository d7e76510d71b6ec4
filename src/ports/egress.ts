/**
 * The only way out to the network. Hosts that are not on the allow-list are refused before a connection is made, also
 * when a redirect leads there; a refusal is a failure FORBIDDEN that names host and list. Loopback is no exception.
 */
export interface Egress {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The same, for what may only reach part of the list (a contract's `network.allow`). Lists only ever shrink. */
  within(allow: readonly string[]): Egress;
}
