import { z } from "zod";
import type { Json } from "../base/canonical.ts";
import type { RunTool } from "./runtime.ts";

/**
 * Tools of the MCP servers that a contract names (`mcp[]`), and of each server only the tools that the contract lists. They are
 * named `<server>_<tool>`, are never retried automatically, and reach only hosts on the allow-list.
 */
export interface OutsideTools {
  /**
   * Lists the tools of every server, through `pinned`. Throws for a server that is unavailable (UPSTREAM_UNAVAILABLE) or lacks a tool
   * that the contract lists (FORBIDDEN), and leaves no connection open. The caller closes the result.
   *
   * The list that `pinned` returns is authoritative, even if it is a recorded one and the servers have changed since. With a
   * recorded list, a server is connected on the first call of one of its tools; if it is unavailable or lacks the tool, that call fails.
   */
  open(asked: OutsideToolsRequest, signal: AbortSignal, pinned?: Pinned): Promise<OpenedTools>;
}

/** Records the list of tools, or returns the list recorded before: a run keeps the tools that it began with (O-3a). */
export type Pinned = (list: () => Promise<Json>) => Promise<Json>;

/** Tools as their server described them, in the contract's order. */
export const listedTools = z.array(
  z.strictObject({
    server: z.string(),
    name: z.string(),
    description: z.string(),
    input: z.record(z.string(), z.json()),
  }),
);
export type ListedTool = z.infer<typeof listedTools>[number];

export interface OutsideToolsRequest {
  readonly servers: readonly OutsideServer[];
  /** Hosts to which the contract restricts the garden's allow-list (`network.allow`). Empty: no restriction. */
  readonly allow: readonly string[];
  /** Time limit of one call that the contract sets (`timeouts.step_s`). */
  readonly stepMs?: number | undefined;
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
