import { Failure } from "../../../base/failure.ts";
import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import {
  MAX_REMARK,
  MOST_REMARKS,
  type Remark,
  type RemarkPlace,
  remark,
  remarkPlaceName,
} from "../../../domain/proposal/remark.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";

export interface NewRemark {
  readonly proposal: string;
  readonly by: Identity;
  readonly text: string;
  readonly place?: RemarkPlace | undefined;
  /** Makes the call idempotent: a repetition with the same key returns the first remark. */
  readonly key?: string | undefined;
}

/**
 * Records a remark on a proposal; nothing is decided by it (P-10c). People may, and the agent that made the proposal: FORBIDDEN for
 * others. Two writers race for the next number; the loser takes the one after it.
 */
export async function addRemark(
  garden: Pick<Garden, "store" | "signals" | "world">,
  { proposal: id, by, text, place, key }: NewRemark,
): Promise<Remark> {
  const { source, operation } = await readProposal(garden.store, id);
  const isAuthor = by.type === "agent" && source.type === "agent" && source.identity === by.slug;
  if (!isPerson(by) && !isAuthor) throw mayNotRemark(identityName(by), id);
  const said = text.trim();
  if (said === "" || said.length > MAX_REMARK || !said.isWellFormed()) throw unusableRemark();
  const at = place && checkedPlace(operation, place);
  const op = key ?? operationMark(garden.world);
  const before = await remarksOn(garden.store, id);
  const same = before.find((each) => each.op === op && each.by === identityName(by));
  if (same) return same;
  for (let number = before.length; ; number++) {
    if (number >= MOST_REMARKS) throw tooManyRemarks(id);
    const made: Remark = {
      number,
      proposal: id,
      by: identityName(by),
      at: new Date(garden.world.now()).toISOString(),
      text: said,
      ...(at && { place: at }),
      op,
    };
    const { bytes } = await createOrFind(garden.store, keys.remark(id, number), jsonBytes(remark.parse(made)));
    const there = readJson(keys.remark(id, number), bytes, remark);
    if (there.op !== op) continue;
    await auditRemark(garden, there);
    return there;
  }
}

/** An icon must be in the proposed diagram; its text is quoted. Other places are taken as they are. */
function checkedPlace(operation: Operation, place: RemarkPlace): RemarkPlace {
  const file = operation.action === "logic-update" ? operation.payload.diagram : undefined;
  if ("line" in place || place.side === "before" || file === undefined) return place;
  const { main, called } = splitDiagrams(file);
  const text = place.diagram === undefined ? main : called.get(place.diagram);
  const icon = text === undefined ? undefined : readDiagram(text).diagram.icons.get(place.icon);
  if (!icon) throw noSuchIcon(remarkPlaceName(place));
  return { ...place, quote: icon.text.slice(0, MAX_QUOTE).toWellFormed() };
}

const MAX_QUOTE = 1000;

/** The remarks on a proposal, oldest first. */
export async function remarksOn(store: Store, id: string): Promise<readonly Remark[]> {
  const remarks: Remark[] = [];
  for await (const { key } of everyKey(store, keys.remarks(id))) {
    const stored = await store.get(key);
    if (stored) remarks.push(readJson(key, stored.bytes, remark));
  }
  return remarks;
}

/** Its name is derived from the remark, so writing it is idempotent. */
const auditRemark = (garden: Pick<Garden, "store" | "signals">, { proposal, number, by, at, text, place }: Remark) =>
  recordAudit(garden, `${proposal}-remark-${String(number).padStart(4, "0")}`, {
    kind: "remarked",
    at,
    by,
    subject: proposal,
    why: text.slice(0, 500).toWellFormed(),
    details: place ? { path: place.path, ...("line" in place ? { line: place.line } : { icon: place.icon }) } : {},
  });

const mayNotRemark = (name: string, id: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${name} may not comment on ${id}: the owner and the agent that proposed it may`,
    uk: `${name} не може коментувати ${id}: можуть власник і агент, що її запропонував`,
    details: { proposal: id },
  });

const noSuchIcon = (named: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the proposed diagram has no icon ${named}`,
    uk: `у запропонованій діаграмі немає ікони ${named}`,
    details: { place: named },
  });

const unusableRemark = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `text: expected 1 to ${MAX_REMARK} characters`,
    uk: `text: потрібно від 1 до ${MAX_REMARK} символів`,
  });

const tooManyRemarks = (id: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${id} has ${MOST_REMARKS} comments already`,
    uk: `${id} має вже ${MOST_REMARKS} коментарів`,
    hint: { en: "Decide it, or send it back.", uk: "Вирішіть її або поверніть на доопрацювання." },
    details: { proposal: id, max: MOST_REMARKS },
  });
