import { setTimeout as delay } from "node:timers/promises";
import { asFailure, type Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { World } from "../../../../base/world.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { AUTHORITY_REFS, MAIN_REF } from "../../../../domain/layout.ts";
import type { Held, RefMove, Remote } from "../../../../ports/repo.ts";
import type { RepoRemote } from "../../../../ports/repo-health.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { repoClosed } from "../objects/failures.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap } from "../refs/ref-swap.ts";
import type { HeldWorkTree } from "../work-tree/work-tree-follower.ts";
import type { Authority, Published, RefreshOptions, Seat } from "./authority-port.ts";
import { type ContactRecord, Contacts } from "./contact-record.ts";
import { followOtherRefs } from "./follow-refs.ts";
import { type IntegrateDeps, integrateMain } from "./integrate-main.ts";
import { type LeasePlan, planLeases } from "./lease-plan.ts";
import { MISS_MS, ObjectMisses, startedAfterCall } from "./object-misses.ts";
import { PushTurns } from "./push-turns.ts";
import type { FetchAnswer, RemoteLink } from "./remote-link.ts";
import {
  blockedBy,
  objectNotHere,
  objectNotHereYet,
  pushUnanswered,
  type RemoteProblem,
  remoteCrowded,
  remoteProblemText,
} from "./remote-problem.ts";
import { isSharedRef, MAIN_TRACKING, trackingRef } from "./shared-refs.ts";

export interface AuthorityDeps extends Omit<IntegrateDeps, "push" | "fetch" | "address"> {
  readonly remote: Remote;
  readonly link: RemoteLink;
  readonly contact: ContactRecord;
  readonly world: World;
  readonly fetchEveryMs: number;
  readonly refs: RefReader;
  /** Swaps refs of this clone only. */
  readonly swap: RefSwap;
  /** Builds a commit with the content of its parent, for a ref that a push only checks. */
  checkMark(parent: Oid, message: string): Promise<Oid>;
  /** Runs work under git's `index.lock`; in a bare repository, at once. */
  hold<T>(work: (tree: HeldWorkTree | undefined) => Promise<T>): Promise<Held<T>>;
  countCommits(from: Oid, to: Oid): Promise<number>;
}

const MAX_PUSHES = 12;
/** A person may have cured the problem: looked at so often while changes wait. */
const LOOK_AGAIN_MS = 1_000;

export class RemoteAuthority implements Authority {
  readonly #deps: AuthorityDeps;
  readonly #integrateDeps: IntegrateDeps;
  #problem: RemoteProblem | undefined;
  /** A push without an answer: nothing is pushed before the remote was read. */
  #isUncertain = false;
  #seat: Seat | undefined;
  readonly #contacts: Contacts;
  readonly #turns: PushTurns;
  readonly #fetch: (timeoutMs?: number) => Promise<FetchAnswer>;
  readonly #misses: ObjectMisses;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #looked = 0;
  readonly #working = new Set<Promise<unknown>>();

  constructor(deps: AuthorityDeps) {
    this.#deps = deps;
    this.#contacts = new Contacts(deps.contact, deps.world, deps.fetchEveryMs);
    this.#turns = new PushTurns(deps.world);
    this.#fetch = startedAfterCall((timeoutMs?: number) => this.#track(this.#fetchNow(timeoutMs)));
    this.#misses = new ObjectMisses(() => this.#fetch());
    this.#integrateDeps = {
      ...deps,
      address: deps.remote.name,
      push: (moves) => deps.link.push(moves),
      fetch: () => this.#fetch(),
    };
    this.#schedule();
  }

  turn(): Promise<void> {
    return this.#turns.next();
  }

  async publish(moves: readonly RefMove[]): Promise<Published> {
    const began = performance.now();
    const published = await this.#publish(moves);
    if (published.kind === "accepted" && moves.some(({ ref }) => ref === MAIN_REF)) this.#turns.taken(began);
    return published;
  }

  async #publish(moves: readonly RefMove[]): Promise<Published> {
    if (this.#isUncertain) await this.#fetch();
    for (let tries = 0; tries < MAX_PUSHES; tries++) {
      const plan = await planLeases(this.#deps, moves);
      if (plan.kind !== "plan") return plan;
      if (plan.push.length === 0) return { kind: "accepted", local: plan.local };
      repoCrashPoint("repo.remote.before-push");
      const answer = await this.#deps.link.push(plan.push);
      if (answer.kind === "accepted" || (answer.kind === "unknown" && (await this.#hasLanded(plan, answer.failure)))) {
        this.#contacts.reached();
        repoCrashPoint("repo.remote.pushed");
        return { kind: "accepted", local: plan.local };
      }
      await this.#fetch();
      if (this.#problem && plan.push.some(({ ref }) => ref === MAIN_REF))
        return blockedBy(this.#problem, this.#deps.remote.name);
      const changed = await this.#changedSince(plan);
      if (changed) return changed;
      if (tries === MAX_PUSHES - 1 && answer.kind === "rejected")
        throw remoteCrowded(this.#deps.remote.name, answer.said);
      await this.#pause(tries);
    }
    throw remoteCrowded(this.#deps.remote.name, "");
  }

  async refresh({ timeoutMs, tree }: RefreshOptions = {}): Promise<void> {
    const isFirst = this.#deps.contact.read()?.at === undefined;
    if (isFirst) await this.#forgetOther();
    await this.#fetch(timeoutMs);
    await this.#follow(tree);
    if (isFirst) await this.#publishMissing();
  }

  async integrate(tree: HeldWorkTree | undefined): Promise<void> {
    this.#problem = await integrateMain(this.#integrateDeps, tree, this.#problem);
  }

  blocked(): Text | undefined {
    if (!this.#problem) return undefined;
    if (performance.now() - this.#looked > LOOK_AGAIN_MS) {
      this.#looked = performance.now();
      // A commit by hand may have cured it; a rewritten history is seen by a fetch alone.
      const isLocal = this.#problem.kind === "edited" || this.#problem.kind === "conflict";
      this.#track(isLocal ? this.#follow() : this.refresh()).catch(() => undefined);
    }
    return remoteProblemText(this.#problem, this.#deps.remote.name);
  }

  async during<T>(tree: HeldWorkTree | undefined, work: (seat: Seat) => Promise<T>): Promise<T> {
    let queue: Promise<unknown> = Promise.resolve();
    const seat: Seat = (part) => {
      const result = queue.then(() => part(tree));
      queue = result.catch(() => undefined);
      return result;
    };
    this.#seat = seat;
    try {
      return await work(seat);
    } finally {
      this.#seat = undefined;
      await queue;
    }
  }

  async missed(oid: Oid): Promise<boolean> {
    if (this.#isClosed) throw repoClosed();
    const answer = this.#contacts.isAway() ? "away" : await this.#misses.ask(oid);
    if (answer === "away") throw objectNotHere(oid, this.#deps.remote.name);
    if (answer === "slow") throw objectNotHereYet(oid, this.#deps.remote.name, MISS_MS / 1000);
    if (answer === "fetched") this.#track(this.#follow()).catch(() => undefined);
    return answer === "fetched";
  }

  isDue(): boolean {
    return this.#contacts.isDue();
  }

  async state(): Promise<RepoRemote> {
    const { refs, remote, contact } = this.#deps;
    const [here, there] = await Promise.all([refs.resolve(MAIN_REF), refs.resolve(MAIN_TRACKING)]);
    const isApart = here !== undefined && there !== undefined && here !== there;
    const last = contact.read();
    const away = last && last.failures > 0 ? last.why : undefined;
    return {
      address: remote.name,
      behind: isApart ? await this.#deps.countCommits(here, there) : 0,
      ahead: isApart ? await this.#deps.countCommits(there, here) : 0,
      ...(last?.at !== undefined && { lastContact: last.at }),
      ...(this.#problem ? { trouble: remoteProblemText(this.#problem, remote.name) } : away && { trouble: away }),
      reachable: last?.at !== undefined && last.failures === 0,
      blocked: this.#problem !== undefined,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#deps.link.close();
    await Promise.all(this.#working);
  }

  async #fetchNow(timeoutMs?: number): Promise<FetchAnswer> {
    const { link, refs } = this.#deps;
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    try {
      const before = await refs.refs(AUTHORITY_REFS);
      let answer = await link.fetch(limit);
      const was = await refs.resolve(MAIN_TRACKING);
      // A person has put main here on the new history: it is accepted.
      if (answer.kind === "rewritten" && (await this.#isHere(answer.now)))
        answer = await link.fetch({ ...limit, acceptsRewriting: true });
      repoCrashPoint("repo.remote.fetched");
      this.#note(answer, was);
      this.#contacts.reached();
      this.#isUncertain = false;
      await followOtherRefs(this.#deps, before);
      return answer;
    } catch (error) {
      if (!this.#isClosed) this.#contacts.failed(asFailure(error).text);
      throw error;
    }
  }

  #note(answer: FetchAnswer, was: Oid | undefined): void {
    if (answer.kind === "rewritten" && was !== undefined) this.#problem = { kind: "rewritten", was, now: answer.now };
    else if (answer.kind === "no-main" && was !== undefined) this.#problem = { kind: "gone", was };
    else if (this.#problem?.kind === "rewritten" || this.#problem?.kind === "gone") this.#problem = undefined;
  }

  /** True if main here contains the commit. */
  async #isHere(oid: Oid): Promise<boolean> {
    const main = await this.#deps.refs.resolve(MAIN_REF);
    return main !== undefined && (await this.#deps.isAncestor(oid, main));
  }

  async #follow(held?: HeldWorkTree): Promise<void> {
    const { refs } = this.#deps;
    if (this.#problem?.kind === "rewritten" || this.#problem?.kind === "gone") return;
    const [here, there] = await Promise.all([refs.resolve(MAIN_REF), refs.resolve(MAIN_TRACKING)]);
    if (here === there) {
      this.#problem = undefined;
      return;
    }
    const seat = this.#seat;
    if (held) await this.integrate(held);
    else if (seat) await seat((tree) => this.integrate(tree));
    else await this.#deps.hold((tree) => this.integrate(tree)); // if git is busy, the next contact follows
  }

  /** At the first contact: shared refs that the remote does not have. */
  async #publishMissing(): Promise<void> {
    const { refs, link, swap } = this.#deps;
    const local = (await refs.refs("refs/")).filter(({ name }) => name !== MAIN_REF && isSharedRef(name));
    const there = new Set((await refs.refs(AUTHORITY_REFS)).map(({ name }) => name));
    const missing = local.filter(({ name }) => !there.has(trackingRef(name)));
    if (missing.length === 0) return;
    const answer = await link.push(missing.map(({ name, oid }) => ({ ref: name, lease: undefined, to: oid })));
    if (answer.kind === "accepted")
      await swap(missing.map(({ name, oid }) => ({ ref: trackingRef(name), from: undefined, to: oid })));
    else await this.#fetch();
  }

  /** Tracking refs of another address are dropped. */
  async #forgetOther(): Promise<void> {
    const old = await this.#deps.refs.refs(AUTHORITY_REFS);
    if (old.length > 0) await this.#deps.swap(old.map(({ name, oid }) => ({ ref: name, from: oid, to: undefined })));
  }

  /** Reads the remote after a push without an answer. Throws, with the outcome unknown, if it has not landed so far. */
  async #hasLanded(plan: LeasePlan, failure: Failure): Promise<boolean> {
    this.#isUncertain = true;
    try {
      await this.#fetch();
    } catch {
      throw pushUnanswered(failure);
    }
    for (const { ref, to } of plan.push) {
      const there = await this.#deps.refs.resolve(trackingRef(ref));
      if (there === to) continue;
      if (there === undefined || to === undefined || !(await this.#deps.isAncestor(to, there)))
        throw pushUnanswered(failure);
    }
    return true;
  }

  async #changedSince({ push }: LeasePlan): Promise<Extract<Published, { kind: "stale" }> | undefined> {
    for (const { ref, lease } of push) {
      const actual = await this.#deps.refs.resolve(trackingRef(ref));
      if (actual !== lease) return { kind: "stale", ref, actual };
    }
    return undefined;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    const jitter = 0.9 + (this.#deps.world.random(1)[0]! / 255) * 0.2;
    this.#timer = setTimeout(() => {
      const turn = this.isDue() ? this.refresh() : this.#follow();
      void this.#track(turn.catch(() => undefined)).then(() => this.#schedule());
    }, this.#deps.fetchEveryMs * jitter).unref();
  }

  /** Work that `close` waits for. Its errors are in the contact record. */
  #track<T>(work: Promise<T>): Promise<T> {
    const quiet = work.catch(() => undefined).finally(() => this.#working.delete(quiet));
    this.#working.add(quiet);
    return work;
  }

  #pause(tries: number): Promise<void> {
    return delay(Math.min(100, 5 * 2 ** tries) * (0.5 + this.#deps.world.random(1)[0]! / 255));
  }
}
