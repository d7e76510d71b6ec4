import type { RunTool } from "./runtime.ts";

/**
 * Tools that are not the garden's own: those of servers that a contract names (`mcp[]`), and of each server only those that the
 * contract lists. They are called `<server>_<tool>`, may never be repeated by themselves, and reach no host that is not on the list.
 */
export interface OutsideTools {
  /**
   * Connects to every server, or to none: a server that is away, or lacks a tool that the contract lists, is a failure that names it
   * (UPSTREAM_UNAVAILABLE, FORBIDDEN), and nothing stays open. Whoever opens closes.
   */
  open(asked: OutsideAsked, signal: AbortSignal): Promise<OpenedTools>;
}

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
