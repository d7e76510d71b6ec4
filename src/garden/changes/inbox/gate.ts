import { Failure, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { mayPropose } from "../../../domain/contract/contract-rules.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type Intent, noteOf, readIntent } from "../../../domain/intent/intent.ts";
import { intentExpectations } from "../../../domain/intent/intent-words.ts";
import { keys } from "../../../domain/layout.ts";
import { isInFolder, isNewNotePath } from "../../../domain/note/note-name.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { agentOf, type Operation } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { type FieldProblem, fieldsRefused } from "../../../domain/text/checked-fields.ts";
import { grants } from "../../core/access/grant.ts";
import type { Garden } from "../../core/garden.ts";
import { type Agent, findAgent } from "../../records/agents/read-agent.ts";
import type { LogicOperation } from "../../records/logic/operation-logic.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import { visibleNotes } from "../../records/notes/visible-notes.ts";
import type { Moment, Ready } from "../effect/effect.ts";
import { prepareEffect } from "../effect/effects.ts";
import { notePathRefusal } from "../effect/note-target.ts";
import { artifactLimit, noteLimit } from "../effect/refusals.ts";
import { agentChangeProblem } from "../logic/change-by-agent.ts";
import { rateLimitOf, takeChange } from "./rate-limit.ts";
import { resolveIntent } from "./resolve-intent.ts";
import { identicalPending } from "./same-effect.ts";

/**
 * The validation gate (P-3): named checks in their order. Each one sees what the ones before it found out; the first that
 * refuses decides, so that nobody learns what is behind a door that is closed to them.
 */
export interface Case {
  readonly garden: Garden;
  readonly config: GardenConfig;
  readonly entry: InboxEntry;
  readonly identity: Identity | undefined;
  /** The id that the proposal will have. */
  readonly proposal: string;
  /** main, pinned. */
  readonly head: Oid;
  /** Made again from the files after a crash: it was counted when it came. */
  readonly counted: boolean;
}

/** What passing the gate has brought to light. */
export interface Passed {
  readonly identity: Identity;
  readonly agent: Agent | undefined;
  readonly operation: Operation;
  readonly base: Oid;
  readonly ready: Ready;
  readonly moment: Moment;
}

type Found = { -readonly [K in keyof Passed]?: Passed[K] } & { intent?: Intent };

interface GateCheck {
  readonly name: string;
  /** Adds to what is found, or says why not. */
  pass(asked: Case, found: Found): Promise<Failure | undefined> | Failure | undefined;
}

const gate: readonly GateCheck[] = [
  {
    name: "authenticated",
    pass({ identity }, found) {
      if (!identity) return notAuthenticated();
      found.identity = identity;
    },
  },
  {
    name: "may-act",
    pass({ entry }, { identity }) {
      const { action } = entry.intent;
      const { edits, reverts } = entry.metadata;
      const isOwners = identity!.type === "owner" || identity!.type === "gateway";
      if ((edits ?? reverts) !== undefined && !isOwners) return forbidden(ownersAlone);
      if (identity!.type !== "webhook" && identity!.type !== "guest") return undefined;
      if (!identity!.actions.includes(action)) return forbidden(notAllowed(entry.source.identity, action));
    },
  },
  {
    name: "safe-outputs",
    async pass({ garden, entry }, found) {
      const { identity } = found;
      if (identity?.type !== "agent") return undefined;
      const agent = await agentAsked(garden, identity.slug);
      if (agent.contract.status !== "active") return forbidden(notActive(agent.slug, agent.contract.status));
      if (!(await isRun(garden, identity))) return forbidden(noRun(identity.run));
      const { action, payload } = entry.intent;
      if (!mayPropose(agent.contract, action, payload)) return forbidden(noSafeOutput(agent, action));
      found.agent = agent;
    },
  },
  {
    name: "readable",
    pass({ entry, config }, found) {
      const { action, payload } = entry.intent;
      const limits = { noteBytes: noteLimit(config), artifactBytes: artifactLimit(config) };
      const intent = readIntent(action, payload, limits);
      if (intent.kind === "problems") return fieldsRefused(intent.problems);
      // What is taken back gets the name that it had.
      const isNew = entry.metadata.reverts === undefined;
      const odd = isNew ? oddName(intent.value) : undefined;
      if (odd) return fieldsRefused([odd]);
      found.intent = intent.value;
    },
  },
  {
    name: "may-touch",
    pass: ({ config, garden }, { identity, intent }) => mayTouch(garden, config, identity!, intent!),
  },
  {
    name: "possible",
    async pass(asked, found) {
      const { garden, config, head, entry } = asked;
      const resolving = { garden, config, head, identity: found.identity!, entry };
      const { operation, base } = await resolveIntent(resolving, found.intent!);
      const touched = agentOf(operation);
      if (touched !== undefined) {
        const may = mayTouchAgent(config, found.identity!, operation.action, touched);
        if (may) return may;
      }
      Object.assign(found, { operation, base, moment: momentOf(asked, found.agent) });
      const prepared = await prepareEffect(
        { garden: { ...garden, config }, head, base, moment: found.moment! },
        operation,
      );
      switch (prepared.kind) {
        case "ready":
          found.ready = prepared;
          return undefined;
        case "refused":
          return toldTo(garden, found.identity!, prepared.failure);
        case "nothing":
          return new Failure("DUPLICATE_ENTRY", prepared.why, { details: { nothing: true } });
        case "conflict":
          return new Failure("CONCURRENT_MODIFICATION", baseMoved, { details: { conflicts: prepared.conflicts } });
      }
    },
  },
  {
    name: "not-tried-before",
    pass({ garden, head }, { identity, operation }) {
      if (identity!.type !== "agent") return undefined;
      const { action } = operation!;
      if (action !== "logic-update" && action !== "logic-rollback") return undefined;
      return agentChangeProblem(garden, head, operation as LogicOperation);
    },
  },
  {
    name: "not-pending-already",
    async pass({ garden, proposal }, { ready }) {
      const other = await identicalPending(garden.store, ready!.effect, proposal);
      return other && samePending(other);
    },
  },
  {
    name: "within-rate",
    pass({ garden, config, counted }, { identity }) {
      return counted ? undefined : takeChange(rateLimitOf(garden), identity!, config);
    },
  },
];

/** The checks in their order, for whoever wants to tell them. */
export const gateOrder: readonly string[] = gate.map(({ name }) => name);

export type GateAnswer =
  | { readonly kind: "passed"; readonly passed: Passed }
  | { readonly kind: "refused"; readonly check: string; readonly failure: Failure };

/** What is refused comes back as a value; a part that is away (503) or a bug is thrown, and nothing was decided. */
export async function passGate(asked: Case): Promise<GateAnswer> {
  const found: Found = {};
  for (const check of gate) {
    try {
      const failure = await check.pass(asked, found);
      if (failure) return { kind: "refused", check: check.name, failure };
    } catch (error) {
      if (!isFailure(error) || isOurs(error)) throw error;
      return { kind: "refused", check: check.name, failure: error };
    }
  }
  const { identity, agent, operation, base, ready, moment } = found;
  return {
    kind: "passed",
    passed: { identity: identity!, agent, operation: operation!, base: base!, ready: ready!, moment: moment! },
  };
}

const isOurs = ({ code }: Failure): boolean => code === "INTERNAL_ERROR" || code === "UPSTREAM_UNAVAILABLE";

/** A name for a new note that people would read as another one, or that some system cannot hold. */
function oddName({ action, wish }: Intent): FieldProblem | undefined {
  if (action !== "propose-note") return undefined;
  const field = wish.path === undefined ? "folder" : "path";
  const name = wish.path ?? wish.folder;
  if (name === undefined || isNewNotePath(name)) return undefined;
  return { field, found: ODD, expected: intentExpectations["new-path"] };
}

/**
 * A note that is gone has a past: who took it away, and where it lies now. That is told to those who may read it there;
 * to all others it is as if it had never been.
 */
async function toldTo(garden: Garden, identity: Identity, failure: Failure): Promise<Failure> {
  const { path, commit, renamed_to: now } = failure.details;
  if (commit === undefined || identity.type === "owner" || identity.type === "gateway") return failure;
  const isVisible = await visibleNotes(garden, identity);
  const mayKnow = identity.type === "agent" && (typeof now !== "string" || isVisible(now));
  return mayKnow ? failure : noNote(String(path));
}

/** P-4a, for what can be told before the garden is read: notes by folder, agents' folders by name. */
function mayTouch(
  garden: Pick<Garden, "repo" | "store">,
  config: GardenConfig,
  identity: Identity,
  intent: Intent,
): Failure | undefined {
  const note = noteOf(intent, config.notes_root);
  if (identity.type === "guest") {
    const inside = note !== undefined && identity.folders.some((folder) => isInFolder(note, folder));
    if (!inside) return forbidden(outsideZone(identity.zone));
  }
  const isNew = intent.action === "propose-note" && intent.wish.path === undefined;
  if (note !== undefined && !isNew) {
    const refused = notePathRefusal({ garden: { ...garden, config } }, note);
    // The owner learns how to say it right; to all others such a path is closed, whatever stands there (P-4a).
    if (refused) return identity.type === "owner" ? refused.failure : forbidden(refused.failure.text);
  }
  const named = "agent" in intent.wish ? intent.wish.agent : undefined;
  return named === undefined ? undefined : mayTouchAgent(config, identity, intent.action, named);
}

/**
 * An agent has its own folders, and those that the owner granted by `grants` in `garden.yaml`. Its own logic is not among them: what
 * judges and what is judged are two, unless the owner names both (source 000 §4.2). A guest has none.
 */
function mayTouchAgent(config: GardenConfig, identity: Identity, action: Action, agent: string): Failure | undefined {
  if (identity.type === "guest") return forbidden(outsideZone(identity.zone));
  if (identity.type !== "agent") return undefined;
  const itself = identity.slug === agent;
  if (itself && action !== "logic-update" && action !== "logic-rollback") return undefined;
  return grants(config, identity.slug, action, agent)
    ? undefined
    : forbidden(itself ? ownLogic(agent, action) : anothers(identity.slug, agent));
}

async function agentAsked({ store }: Garden, slug: string): Promise<Agent> {
  const agent = await findAgent(store, slug);
  if (agent) return agent;
  throw forbidden({ en: `there is no agent ${slug}`, uk: `немає агента ${slug}` });
}

/** A token is good for one run; a run is its request. */
const isRun = async ({ store }: Garden, { slug, run }: Extract<Identity, { type: "agent" }>): Promise<boolean> =>
  /^[a-z0-9_-]{1,100}$/.test(run) && (await store.get(keys.runRequest(slug, run))) !== undefined;

function momentOf({ entry, proposal }: Case, agent: Agent | undefined): Moment {
  return {
    proposal,
    at: entry.source.timestamp,
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

const ODD: Text = { en: "a name that cannot be told from others", uk: "назва, яку не відрізнити від інших" };

const forbidden = (text: Text): Failure => new Failure("FORBIDDEN", text);

const notAuthenticated = (): Failure =>
  new Failure("AUTH_REQUIRED", { en: "who asks is not known", uk: "невідомо, хто просить" });

const ownersAlone: Text = {
  en: "editing and taking back a proposal is the owner's",
  uk: "редагувати й відкликати пропозицію може лише власник",
};
const notAllowed = (who: string, action: string): Text => ({
  en: `${who} may not ${action}`,
  uk: `${who} не має права на ${action}`,
});
const notActive = (slug: string, status: string): Text => ({
  en: `the agent ${slug} is ${status}; only an active one may propose`,
  uk: `агент ${slug} має стан ${status}; пропонувати може лише active`,
});
const noRun = (run: string): Text => ({
  en: `there is no run ${JSON.stringify(run.slice(0, 100))} of this agent`,
  uk: `немає запуску ${JSON.stringify(run.slice(0, 100))} цього агента`,
});
const noSafeOutput = ({ slug, contract }: Agent, action: string): Text => ({
  en: `${action} is not in safe_outputs of ${slug} (${contract.safe_outputs.join(", ") || "none"})`,
  uk: `${action} немає в safe_outputs агента ${slug} (${contract.safe_outputs.join(", ") || "порожньо"})`,
});
const outsideZone = (zone: string): Text => ({
  en: `this lies outside the zone ${zone}`,
  uk: `це поза зоною ${zone}`,
});
const anothers = (slug: string, other: string): Text => ({
  en: `${slug} may not touch what is ${other}'s; the owner can grant it (grants in garden.yaml)`,
  uk: `${slug} не може чіпати те, що належить ${other}; власник може дозволити (grants у garden.yaml)`,
});
const ownLogic = (slug: string, action: Action): Text => ({
  en: `${slug} may not change its own logic; the owner can let it (grants in garden.yaml: { agent: ${slug}, actions: [${action}], on: [${slug}] })`,
  uk: `${slug} не може змінювати власну логіку; власник може дозволити (grants у garden.yaml: { agent: ${slug}, actions: [${action}], on: [${slug}] })`,
});
const baseMoved: Text = {
  en: "the note has changed in the same lines since the commit that this was made against",
  uk: "нотатка змінилася в тих самих рядках після коміту, від якого це зроблено",
};

export const samePending = (other: Proposal | "being-received"): Failure =>
  other === "being-received"
    ? new Failure("DUPLICATE_ENTRY", {
        en: "the same is being received right now",
        uk: "те саме надходить просто зараз",
      })
    : new Failure(
        "DUPLICATE_ENTRY",
        { en: `the same is pending already: ${other.id}`, uk: `те саме вже чекає на рішення: ${other.id}` },
        { details: { proposal: other.id } },
      );
