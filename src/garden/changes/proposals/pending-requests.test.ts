import { describe, expect, it } from "vitest";
import { Bucket } from "../../../adapters/store/s3/bucket.ts";
import { S3Store } from "../../../adapters/store/s3/s3-store.ts";
import { memoryEndpoint } from "../../../adapters/store/s3/testing/memory-endpoint.ts";
import { derivedId } from "../../../base/ids.ts";
import { realWorld } from "../../../base/world.ts";
import type { ProposalMade } from "../../../domain/proposal/proposal.ts";
import { digestOf } from "../../../domain/proposal/proposal-digest.ts";
import type { Store } from "../../../ports/store.ts";
import { newSignals } from "../../core/signals.ts";
import { appendEvent, readProposal, recordProposal } from "../../records/proposals/proposal-log.ts";
import { listPending } from "./list-proposals.ts";

const AT = Date.parse("2026-02-14T08:00:00.000Z");
const world = { ...realWorld, now: () => AT };

function bucketOfMany() {
  const endpoint = memoryEndpoint();
  const place = { endpoint: "http://memory", bucket: "b", prefix: "", keyEnv: "", secretEnv: "" };
  const credentials = { key: "k", secret: "s" };
  /** A process of its own: it knows nothing of what others have read. */
  const process = (): Store => new S3Store(new Bucket(place, "us-east-1", credentials, endpoint, world), false);
  return { process, seen: endpoint.seen };
}

function made(n: number): ProposalMade {
  const at = new Date(AT - 10_000_000 + n * 1000).toISOString();
  const id = derivedId("prop", Date.parse(at), `${n}`);
  const unsigned = {
    id,
    entry_id: id.replace("prop", "inbox"),
    source: { type: "owner" as const, identity: "owner", authenticated: true, timestamp: at },
    action: "propose-edit" as const,
    target: `notes/${n}.md`,
    operation: { action: "propose-edit" as const, payload: { path: `notes/${n}.md`, text: "x" } },
    base: { revision: "0".repeat(40) },
    effect: `effect-${n}`,
    summary: `Change ${n}`,
    correlation_id: id,
    priority: "normal" as const,
    created_at: at,
    expires_at: new Date(AT + 3_600_000).toISOString(),
  };
  return { type: "made", ...unsigned, digest: digestOf(unsigned) };
}

async function reject(store: Store, id: string): Promise<void> {
  const proposal = await readProposal(store, id);
  await appendEvent(store, proposal, {
    type: "decided",
    op: `op-${id}`,
    at: new Date(AT).toISOString(),
    decision: "rejected",
    by: "owner",
    digest: proposal.digest,
    effect: proposal.effect,
  });
}

const page = async (store: Store, after?: string) =>
  await listPending({ store, world, signals: newSignals() }, { limit: 100, after });

describe("P-5 a page of pending proposals in a bucket", () => {
  it("costs at most 3 requests beside 1,000 pending and 10,000 decided ones", async () => {
    const [pending, decided] = [1000, 10_000];
    const { process, seen } = bucketOfMany();
    const writer = process();
    const some = Array.from({ length: pending }, (_, n) => made(n));
    for (const one of some) await recordProposal(writer, one);
    let after: string | undefined;
    for (;;) {
      const { next } = await page(process(), after); // every page was read once, by whichever process
      if (next === undefined) break;
      after = next;
    }
    for (let n = 0; n < decided; n++) await writer.put(`proposals/rejected/2026-01/prop_decided_${n}.json`, EMPTY);
    const costs: Record<string, readonly string[]> = {};
    const counted = async (what: string, store: Store, from?: string): Promise<void> => {
      seen.length = 0;
      const { proposals } = await page(store, from);
      costs[what] = seen.length <= 3 && proposals.length === 100 ? [] : [`${proposals.length} proposals`, ...seen];
    };
    const reader = process();
    await counted("another process, first page", process());
    await counted("another process, a later page", process(), some[499]!.id);
    await counted("a process that read it before", reader);
    await counted("the same again", reader);
    await reject(writer, some[7]!.id);
    await counted("after a decision", reader);
    await recordProposal(writer, made(-1));
    await counted("after a new proposal", reader);
    expect(Object.entries(costs).filter(([, requests]) => requests.length > 0)).toEqual([]);
  });

  it("does not show one that is decided, also when the process that decided died before it removed the view", async () => {
    const { process } = bucketOfMany();
    const writer = process();
    const some = [made(0), made(1), made(2)];
    for (const one of some) await recordProposal(writer, one);
    const reader = process();
    const before = await page(reader);
    const dying: Store = Object.assign(Object.create(writer) as Store, {
      put: (key: string, bytes: Uint8Array) =>
        key.startsWith("proposals/rejected/") ? Promise.reject(new Error("killed")) : writer.put(key, bytes),
      create: writer.create.bind(writer),
      get: writer.get.bind(writer),
      inOrder: writer.inOrder.bind(writer),
    });
    await expect(reject(dying, some[1]!.id)).rejects.toThrow("killed");
    const left = await writer.get(`proposals/pending/${some[1]!.id}.json`);
    const after = await page(reader);
    expect({ isViewLeft: left !== undefined, before: before.proposals.length }).toEqual({
      isViewLeft: true,
      before: 3,
    });
    expect(after.proposals.map(({ id }) => id)).toEqual([some[0]!.id, some[2]!.id]);
  });
});

const EMPTY = Buffer.from("{}\n");
