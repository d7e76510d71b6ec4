import { z } from "zod";
import type { Json } from "../base/canonical.ts";
import type { RunTool } from "./runtime.ts";

/**
 * Tools that are not the garden's own: those of servers that a contract names (`mcp[]`), and of each server only those that the
 * contract lists. They are called `<server>_<tool>`, may never be repeated by themselves, and reach no host that is not on the list.
 */
export interface OutsideTools {
  /**
   * Asks every server what it has, through `pinned`: a server that is away, or lacks a tool that the contract lists, is a failure that
   * names it (UPSTREAM_UNAVAILABLE, FORBIDDEN), and nothing stays open. Whoever opens closes.
   *
   * What `pinned` gives back is what the tools are, whatever the servers say by then; it need not have asked. Such servers are
   * connected to when one of their tools is called: one that is away then, or no longer has the tool, fails that call.
   */
  open(asked: OutsideAsked, signal: AbortSignal, pinned?: Pinned): Promise<OpenedTools>;
}

/** Puts on record what servers have, or gives what is on record already: a run keeps the tools that it began with (O-3a). */
export type Pinned = (list: () => Promise<Json>) => Promise<Json>;

/** Tools as their server described them, in order of the contract. */
export const listedTools = z.array(
  z.strictObject({
    server: z.string(),
    name: z.string(),
    description: z.string(),
    input: z.record(z.string(), z.json()),
  }),
);
export type ListedTool = z.infer<typeof listedTools>[number];

export interface OutsideAsked {
  readonly servers: readonly OutsideServer[];
  /** Hosts that the contract narrows the garden's list to (`network.allow`); empty: it does not. */
  readonly allow: readonly string[];
}

export interface OutsideServer {
  readonly name: string;
  readonly url: string;
  readonly tools: readonly string[];
}

export interface OpenedTools {
  readonly tools: readonly RunTool[];
  close(): Promise<void>;
}
