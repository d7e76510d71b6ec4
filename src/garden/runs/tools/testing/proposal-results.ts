import { expect } from "vitest";
import type { Json } from "../../../../base/canonical.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import type { ToolGround } from "./tool-ground.ts";

export interface Made {
  readonly proposal: string;
  readonly status: string;
  readonly code?: string;
  readonly reason?: string;
}

/** The result of each call: the operation of its proposal, or the refusal. */
export async function proposalResults(
  ground: ToolGround,
  tool: string,
  rows: readonly (readonly [string, Json, unknown])[],
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, input] of rows) {
    const made = (await ground.use(tool, input)) as unknown as Made;
    if (made.status === "refused") found[name] = `${made.proposal}${made.code}: ${made.reason}`;
    else found[name] = (await readProposal(ground.garden.store, made.proposal)).operation.payload;
  }
  return found;
}

export const expectedResults = (rows: readonly (readonly [string, Json, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(
    rows.map(([name, , wanted]) => [
      name,
      wanted instanceof RegExp
        ? (expect.stringMatching(wanted) as unknown)
        : (expect.objectContaining(wanted as object) as unknown),
    ]),
  );
