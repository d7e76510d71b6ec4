import { assert } from "../../../base/assert.ts";
import { canonicalId } from "../../../base/canonical.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type Intent, noteOf, readIntent } from "../../../domain/intent/intent.ts";
import { intentExpectations } from "../../../domain/intent/intent-words.ts";
import { isNewNotePath } from "../../../domain/note/note-name.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { agentOf, type Operation } from "../../../domain/proposal/operation.ts";
import { type FieldProblem, fieldsRefused } from "../../../domain/text/checked-fields.ts";
import type { Garden } from "../../core/garden.ts";
import type { Agent } from "../../records/agents/read-agent.ts";
import type { LogicOperation } from "../../records/logic/operation-logic.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import { visibleNotes } from "../../records/notes/visible-notes.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { originOfRun } from "../../records/runs/run-origin.ts";
import type { EffectMoment, ReadyEffect } from "../effect/effect.ts";
import { prepareEffect } from "../effect/effects.ts";
import { artifactLimit, noteLimit } from "../effect/failures.ts";
import { agentChangeProblem } from "../logic/change-by-agent.ts";
import { identicalPending } from "./effect-claim.ts";
import { baseMoved, hiddenNoteRefused, notAuthenticated, ODD_NAME, sameAsSentBack, samePending } from "./failures.ts";
import { checkMergedFiles, checkSession } from "./merge-permissions.ts";
import { checkMayAct, checkMayTouch, checkMayTouchAgent, proposingAgent } from "./permissions.ts";
import { takeChange } from "./rate-limit.ts";
import { resolveIntent } from "./resolve-intent.ts";

/** An entry before the validation gate (P-3). */
export interface GateInput {
  readonly garden: Garden;
  readonly config: GardenConfig;
  readonly entry: InboxEntry;
  readonly identity: Identity | undefined;
  /** The id that the proposal will have. */
  readonly proposal: string;
  /** main, pinned. */
  readonly head: Oid;
  /** Recovered after a crash: it was counted by the rate limit when it arrived. */
  readonly counted: boolean;
  /** The agent of a trial: its contract as it is tried, whatever its state; it has no run on record. */
  readonly tried?: Agent;
}

/** The facts that the checks found out about an entry that passed. */
export interface GatePass extends PossibleChange {
  readonly identity: Identity;
  readonly agent: Agent | undefined;
}

interface PossibleChange {
  readonly operation: Operation;
  readonly base: Oid;
  readonly ready: ReadyEffect;
  readonly moment: EffectMoment;
}

/** The checks in their order. The first that refuses decides, so that a refusal reveals nothing that a later check protects. */
export const gateOrder = [
  "authenticated",
  "may-act",
  "safe-outputs",
  "readable",
  "may-touch",
  "possible",
  "not-tried-before",
  "not-pending-already",
  "within-rate",
] as const;
type GateCheckName = (typeof gateOrder)[number];

export type GateAnswer =
  | { readonly kind: "passed"; readonly passed: GatePass }
  | { readonly kind: "refused"; readonly check: GateCheckName; readonly failure: Failure };

/**
 * Runs the checks in their order; each throws a failure to refuse. A refusal is returned as a value. An unavailable part (503) or
 * a bug is thrown: then nothing was decided.
 */
export async function passGate(input: GateInput): Promise<GateAnswer> {
  let current: GateCheckName = gateOrder[0];
  const check = async <T>(name: GateCheckName, work: () => T | Promise<T>): Promise<T> => {
    current = name;
    return await work();
  };
  try {
    const identity = await check("authenticated", () => knownIdentity(input));
    await check("may-act", () => checkMayAct(input, identity));
    const agent = await check("safe-outputs", () => proposingAgent(input, identity));
    const intent = await check("readable", () => readableIntent(input));
    await check("may-touch", () => checkMayTouch(input, identity, intent, agent));
    const change = await check("possible", () => visibleChange(input, { identity, agent, intent }));
    await check("not-tried-before", () => checkNotTried(input, identity, change.operation));
    await check("not-pending-already", () => checkNotPending(input, change.ready));
    await check("within-rate", () => checkRate(input, identity));
    return { kind: "passed", passed: { identity, agent, ...change } };
  } catch (error) {
    if (!isFailure(error) || isOurs(error)) throw error;
    return { kind: "refused", check: current, failure: error };
  }
}

const isOurs = ({ code }: Failure): boolean => code === "INTERNAL_ERROR" || code === "UPSTREAM_UNAVAILABLE";

function knownIdentity({ identity }: GateInput): Identity {
  if (!identity) throw notAuthenticated();
  return identity;
}

function readableIntent({ entry, config }: GateInput): Intent {
  const { action, payload } = entry.intent;
  const limits = { noteBytes: noteLimit(config), artifactBytes: artifactLimit(config) };
  const intent = readIntent(action, payload, limits);
  if (intent.kind === "problems") throw fieldsRefused(intent.problems);
  // A revert restores the name that the note had, so the rules for new names do not apply.
  const odd = entry.metadata.reverts === undefined ? oddName(intent.value) : undefined;
  if (odd) throw fieldsRefused([odd]);
  return intent.value;
}

/** `possibleChange`; if an agent may not read the note, a refusal says nothing about it: neither content nor existence. */
async function visibleChange(
  input: GateInput,
  asked: { identity: Identity; agent: Agent | undefined; intent: Intent },
): Promise<PossibleChange> {
  const { identity, intent } = asked;
  const note = identity.type === "agent" ? noteOf(intent, input.config.notes_root) : undefined;
  const isHidden =
    note !== undefined && intent.action !== "propose-note" && !(await visibleNotes(input.garden, identity))(note);
  try {
    return await possibleChange(input, asked);
  } catch (error) {
    throw isHidden && isFailure(error) && !isOurs(error) ? hiddenNoteRefused() : error;
  }
}

/** Resolves the intent and prepares its effect at main. */
async function possibleChange(
  input: GateInput,
  { identity, agent, intent }: { identity: Identity; agent: Agent | undefined; intent: Intent },
): Promise<PossibleChange> {
  const { garden, config, head, entry } = input;
  const { operation, base } = await resolveIntent({ garden, config, head, identity, entry }, intent);
  if (operation.action === "propose-merge" && !input.tried) await checkSession(garden, identity, operation.payload);
  const touched = agentOf(operation);
  if (touched !== undefined)
    checkMayTouchAgent(config, identity, operation.action, touched, agent?.contract.ceiling?.lineage);
  const moment = momentOfEntry(input, agent);
  const prepared = await prepareEffect({ garden: { ...garden, config }, head, base, moment }, operation);
  // A merge with conflicts becomes a proposal all the same: its owner resolves them.
  const ready = prepared.kind === "conflict" ? prepared.wanted : prepared.kind === "ready" ? prepared : undefined;
  if (operation.action === "propose-merge" && ready) await checkMergedFiles(garden, identity, agent, ready);
  if (ready) return { operation, base, ready, moment };
  if (prepared.kind === "refused") throw await visibleRefusal(garden, identity, prepared.failure);
  if (prepared.kind === "conflict") throw baseMoved(prepared.conflicts);
  assert(prepared.kind === "nothing", "every other effect was answered above");
  throw new Failure("DUPLICATE_ENTRY", { ...prepared.why, details: { nothing: true } });
}

async function checkNotTried(input: GateInput, identity: Identity, operation: Operation): Promise<void> {
  if (identity.type !== "agent") return;
  await checkRevised(input, identity.slug, operation);
  if (!isLogicOperation(operation)) return;
  const { garden, head } = input;
  const problem = await agentChangeProblem(garden, head, operation);
  if (problem) throw problem;
}

/** P-10c: a revision that is the change which was sent back helps nobody: the comments are not in it. */
async function checkRevised({ garden, entry }: GateInput, slug: string, operation: Operation): Promise<void> {
  const run = entry.source.run_id;
  const { revises } = run === undefined ? {} : await originOfRun(garden.store, { slug, run });
  const before = revises === undefined ? undefined : await findReadable(garden.store, revises);
  if (before && canonicalId(before.operation) === canonicalId(operation)) throw sameAsSentBack(before.id);
}

const isLogicOperation = (operation: Operation): operation is LogicOperation =>
  operation.action === "logic-update" || operation.action === "logic-rollback";

async function checkNotPending({ garden, proposal }: GateInput, { effect }: ReadyEffect): Promise<void> {
  const other = await identicalPending(garden.store, effect, proposal);
  if (other) throw samePending(other);
}

async function checkRate({ garden, config, counted }: GateInput, identity: Identity): Promise<void> {
  const limited = counted ? undefined : await takeChange(garden, identity, config);
  if (limited) throw limited;
}

/** The problem of a name for a new note that looks like another name, or that some file system cannot hold. */
function oddName({ action, wish }: Intent): FieldProblem | undefined {
  if (action !== "propose-note") return undefined;
  const field = wish.path === undefined ? "folder" : "path";
  const name = wish.path ?? wish.folder;
  if (name === undefined || isNewNotePath(name)) return undefined;
  return { field, found: ODD_NAME, expected: intentExpectations["new-path"] };
}

/**
 * A refusal about a missing note may say in which commit it was removed and its new path. Only an identity that may read the new
 * path gets these details; all others get "no such note".
 */
async function visibleRefusal(garden: Garden, identity: Identity, failure: Failure): Promise<Failure> {
  const { path, commit, renamed_to: now } = failure.details;
  if (commit === undefined || identity.type === "owner" || identity.type === "gateway") return failure;
  const isVisible = await visibleNotes(garden, identity);
  const mayKnow = identity.type === "agent" && (typeof now !== "string" || isVisible(now));
  return mayKnow ? failure : noNote(String(path));
}

function momentOfEntry({ entry, proposal }: GateInput, agent: Agent | undefined): EffectMoment {
  return {
    proposal,
    at: entry.source.timestamp,
    made: entry.source.timestamp,
    by: entry.source.identity,
    agent: agent && {
      slug: agent.slug,
      version: agent.contract.version,
      ...(agent.contract.logic_version !== undefined && { logic: agent.contract.logic_version }),
    },
    run: entry.source.run_id,
    summary: entry.intent.summary ?? entry.intent.action,
  };
}
