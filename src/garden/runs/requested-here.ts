import type { RunPlace } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import type { AgentLeases } from "./agent-leases.ts";

/** Runs that were requested in this process and are not over: what is known about them without a read. */
export class RequestedHere {
  readonly #audited = new Set<string>();
  /** The lease of the agent when the run was requested, until its work begins. */
  readonly #leases = new Map<string, Lease>();

  /** Its request was published: the audit record exists. */
  note({ slug, run }: RunPlace, leases: AgentLeases): void {
    this.#audited.add(run);
    const lease = leases.heldNow(slug);
    if (lease) this.#leases.set(run, lease);
  }

  isAudited(run: string): boolean {
    return this.#audited.has(run);
  }

  /** Returns the lease once: a later attempt finds what the first one wrote. */
  takeLease(run: string): Lease | undefined {
    const lease = this.#leases.get(run);
    this.#leases.delete(run);
    return lease;
  }

  /** Another writer added to the run: its folder must be read. */
  touched(run: string): void {
    this.#leases.delete(run);
  }

  forget(run: string): void {
    this.#audited.delete(run);
    this.#leases.delete(run);
  }
}
