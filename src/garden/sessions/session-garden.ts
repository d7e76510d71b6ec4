import { GATEWAY } from "../../domain/git/gateway-commit.ts";
import type { Signature } from "../../ports/repo.ts";
import type { Garden } from "../core/garden.ts";

/** The parts of a garden that sessions need. They work in a bare repository too. */
export type SessionGarden = Pick<Garden, "repo" | "world" | "folder" | "secrets">;

/** Author of the commits of a session. */
export const sessionAuthor = (name: string, at: number): Signature => ({
  name,
  email: `${name}@agents.garden.invalid`,
  at,
});

export const gatewaySignature = (at: number): Signature => ({ ...GATEWAY, at });
