import type { AuditRecord } from "../../domain/audit-record.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";

/** An audit record about another garden, or about this one among the others. */
export async function tellFederation(
  garden: Pick<Garden, "store" | "signals" | "world">,
  kind: AuditRecord["kind"],
  by: Identity,
  subject: string,
  details: { readonly [name: string]: string | number | boolean },
): Promise<void> {
  const mark = Buffer.from(garden.world.random(4)).toString("hex");
  const at = new Date(garden.world.now()).toISOString();
  const why = typeof details["why"] === "string" ? { why: details["why"] } : {};
  await recordAudit(garden, `${kind}-${mark}`, { kind, at, by: identityName(by), subject, ...why, details });
}
