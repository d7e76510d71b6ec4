import { Failure, isFailure } from "../../../base/failure.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import { foldProposal, type Proposal, proposalEvent } from "../../../domain/proposal/proposal.ts";
import { cardOf, type ProposalCard } from "../../../domain/proposal/proposal-card.ts";
import { digestOf, reviewDigest } from "../../../domain/proposal/proposal-digest.ts";
import type { Commit } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { FoundGarden } from "../../core/garden.ts";
import { formerStates, viewKey } from "../../records/proposals/proposal-log.ts";
import { pendingIdIn, viewIdIn } from "../../records/proposals/proposal-views.ts";

/** Data that several checks need, read lazily and once. */
export interface GardenScan {
  /** All commits of main, newest first. Read before the proposals: the proposal of each of them is on record. */
  commits(): Promise<readonly Commit[]>;
  /** The same, read after the proposals: the commit of each applied proposal is among them. */
  commitsNow(): Promise<readonly Commit[]>;
  proposals(): Promise<ReadonlyMap<string, ScannedProposal>>;
  /** The views of proposals: key and id, if the key has one. */
  views(): Promise<readonly ScannedView[]>;
}

export interface ScannedView {
  readonly key: string;
  readonly id: string | undefined;
}

/** A proposal without its content, which may be large. */
export type ScannedProposal =
  | {
      readonly kind: "proposal";
      readonly proposal: Omit<Proposal, "operation" | "reasoning">;
      readonly card: ProposalCard;
      /** Expected key of its view. */
      readonly view: string | undefined;
      /** The keys of its views in all states that its records passed. */
      readonly everyView: readonly string[];
      readonly digestHolds: boolean;
      readonly decisionHolds: boolean;
    }
  /** `told`: another check reports the damage. */
  | { readonly kind: "damaged"; readonly where: string; readonly why: "told" | "gap" | "shape" | "order" };

export function scanGarden(garden: FoundGarden): GardenScan {
  const { repo, store } = garden;
  let commits: Promise<readonly Commit[]> | undefined;
  let proposals: Promise<ReadonlyMap<string, ScannedProposal>> | undefined;
  let later: Promise<readonly Commit[]> | undefined;
  let views: Promise<readonly ScannedView[]> | undefined;
  const read = async () => (repo.kind === "open" ? await commitsOf(repo.value) : []);
  const scan: GardenScan = {
    views: () => (views ??= store.kind === "open" ? viewsIn(store.value) : Promise.resolve([])),
    commits: () => (commits ??= read()),
    commitsNow: () => (later ??= scan.proposals().then(read)),
    proposals: () =>
      (proposals ??= scan.commits().then(() => (store.kind === "open" ? proposalsIn(store.value) : new Map()))),
  };
  return scan;
}

async function viewsIn(store: Store): Promise<ScannedView[]> {
  const views: ScannedView[] = [];
  for (const folder of VIEW_FOLDERS)
    for await (const { key } of everyKey(store, folder)) views.push({ key, id: pendingIdIn(key) ?? viewIdIn(key) });
  return views;
}

const VIEW_FOLDERS = ["pending", "approved", "rejected", "applied", "expired", "failed"].map(
  (name) => `proposals/${name}/`,
);

async function commitsOf(repo: Extract<FoundGarden["repo"], { kind: "open" }>["value"]): Promise<readonly Commit[]> {
  try {
    const head = await repo.resolve(MAIN_REF);
    return head === undefined ? [] : await repo.history(head, "");
  } catch (error) {
    if (isFailure(error)) return []; // repositoryCheck reports it
    throw error;
  }
}

async function proposalsIn(store: Store): Promise<ReadonlyMap<string, ScannedProposal>> {
  const found = new Map<string, ScannedProposal>();
  let id: string | undefined;
  let events: string[] = [];
  const close = async (): Promise<void> => {
    if (id !== undefined) found.set(id, await factsOf(store, id, events));
  };
  for await (const { key } of everyKey(store, keys.proposalLogs)) {
    const next = key.slice(keys.proposalLogs.length).split("/")[0]!;
    if (next !== id) {
      await close();
      [id, events] = [next, []];
    }
    events.push(key);
  }
  await close();
  return found;
}

async function factsOf(store: Store, id: string, events: readonly string[]): Promise<ScannedProposal> {
  const odd = events.find((key, number) => key !== keys.proposalEvent(id, number));
  if (odd !== undefined) return { kind: "damaged", where: `store:${odd}`, why: "gap" };
  const read = [];
  for (const key of events) {
    const json = await jsonAt(store, key);
    if (json === undefined) return { kind: "damaged", where: `store:${key}`, why: "told" };
    const event = proposalEvent.safeParse(json);
    if (!event.success || (event.data.type === "made" && event.data.id !== id))
      return { kind: "damaged", where: `store:${key}`, why: "shape" };
    read.push(event.data);
  }
  try {
    const proposal = foldProposal(read);
    const { operation: _, reasoning: __, ...rest } = proposal;
    return {
      kind: "proposal",
      proposal: rest,
      card: cardOf(proposal),
      view: viewKey(proposal),
      everyView: [...formerStates(read), proposal].flatMap((state) => viewKey(state) ?? []),
      digestHolds: digestOf(proposal) === proposal.digest,
      decisionHolds: decisionHolds(proposal),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: "damaged", where: `store:${keys.proposalLog(id)}`, why: "order" };
  }
}

/** An approval must name the digest that was reviewed: the proposal's, or that of its effect at that time (P-10a). */
function decisionHolds(proposal: Proposal): boolean {
  const { approval } = proposal;
  if (approval?.decision !== "approved" && approval?.decision !== "auto_approved") return true;
  return approval.digest === reviewDigest(proposal, approval.effect);
}

/** The JSON value of an object; undefined if it is missing or not JSON, which objectsCheck reports. */
export async function jsonAt(store: Store, key: string): Promise<unknown> {
  try {
    const stored = await store.get(key);
    return stored ? (JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(stored.bytes)) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
