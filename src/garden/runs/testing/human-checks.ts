import { expect } from "vitest";
import type { Json } from "../../../base/canonical.ts";
import { canonicalId } from "../../../base/canonical.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { answerFault, type RequestedEffect } from "../../../drakon/walk/request.ts";
import { program } from "../../../drakon/walk/testing/procedures.ts";
import { replay } from "../../../drakon/walk/testing/replay.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { commitDecision, decisionOn } from "../../sessions/decision-commit.ts";
import type { SessionCheck } from "../../sessions/testing/object-checks.ts";
import { codeOf } from "../../sessions/testing/space.ts";
import { sessionHead, sessionLog } from "../../sessions/topology.ts";
import { answerRequest } from "../answer.ts";
import { askPerson, openRequests, requestsOf } from "../hold.ts";
import { noPause, requestedRun } from "./agent-ground.ts";
import { agentWith, answerWith, heldAt, orderGarden, startedOrder } from "./held-order.ts";
import { gitIn, type HeldSession, heldSession, logOf } from "./held-session.ts";

const NINE = { number: 9 };
const decide = ({ garden, request }: HeldSession, value: Json = NINE, note?: string) =>
  answerWith(garden, request, value, note);
const head = ({ garden, session }: HeldSession) => sessionHead(garden.repo, session);
const newest = async ({ garden, session }: HeldSession) => (await sessionLog(garden.repo, session)).commits[0]!;

/** H1 to H13. */
export const decisionChecks: readonly SessionCheck[] = [
  [
    "pending-requests derived over agents",
    async () => {
      const [one, two] = [await startedOrder(), await startedOrder()];
      // An entry of the view without a request behind it shows nothing.
      const never = `${one.request.slice(0, -2)}09`;
      await one.garden.store.put(keys.openRequest(never), viewOf({ ...one, request: never }));
      const open = (await openRequests(one.garden)).map(({ id }) => id);
      expect(open).toEqual(expect.arrayContaining([one.request, two.request]));
      expect(open).not.toContain(never);
    },
  ],
  [
    "… with tool requests too",
    async () => {
      const garden = orderGarden();
      const place = await requestedRun(garden, await agentWith(), { base: 1 });
      const ask = { question: "May the call be repeated?", form: "choice" as const, options: ["again", "cancel"] };
      const deps = { ...garden, pause: noPause };
      const { request } = await askPerson(deps, place, { tag: "c07", reason: "in-flight", ask });
      expect((await openRequests(garden)).find(({ id }) => id === request.id)).toMatchObject({ reason: "in-flight" });
    },
  ],
  [
    "decision commit then resume",
    async () => {
      const held = await heldSession();
      await decide(held);
      const [answered] = await requestsOf(held.garden.store, held.place);
      expect([await logOf(held), answered!.answer?.decision]).toEqual([
        ["decision: Answer to: How many?", `spawn: ${held.session}`],
        await head(held),
      ]);
      expect(await heldAt(held.garden, held.place)).toMatch(/_02$/);
    },
  ],
  [
    "decision tree = parent tree verbatim",
    async () => {
      const held = await heldSession();
      await decide(held);
      const tree = (commit: string): string => gitIn(held, "rev-parse", `${commit}^{tree}`);
      expect(tree(`agents/${held.session}`)).toBe(tree(`agents/${held.session}~1`));
    },
  ],
  [
    "payload in open fields",
    async () => {
      const held = await heldSession();
      await decide(held);
      expect((await newest(held)).typed?.fields).toMatchObject({
        "resume-tag": held.request,
        "resume-value": NINE,
        by: "owner",
      });
    },
  ],
  [
    "empty diff in git",
    async () => {
      const held = await heldSession();
      await decide(held);
      expect(gitIn(held, "show", "--format=%an", "--stat", `agents/${held.session}`)).toBe("owner");
    },
  ],
  [
    "rationale is the message",
    async () => {
      const held = await heldSession();
      await decide(held, NINE, "Because nine is enough");
      expect((await logOf(held))[0]).toBe("decision: Because nine is enough");
      const long = await heldSession();
      const note = `Two reasons\n\nResume-tag: none\n${"й".repeat(15_000)}`;
      await decide(long, NINE, note);
      expect([
        (await logOf(long))[0],
        (await decisionOn(long.garden.repo, long.session, long.request))?.rationale,
      ]).toEqual(["decision: Two reasons", note]);
    },
  ],
  [
    "index is derived: answered request is gone",
    async () => {
      const held = await heldSession();
      await decide(held);
      await held.garden.store.put(keys.openRequest(held.request), viewOf(held));
      expect((await openRequests(held.garden)).map(({ id }) => id)).not.toContain(held.request);
    },
  ],
  ["wrong form refused, no commit", async () => expect(await wrongForm()).toMatchObject({ code: "VALIDATION_FAILED" })],
  [
    "… branch untouched",
    async () => {
      const { before, after } = await wrongForm();
      expect(after).toEqual(before);
    },
  ],
  [
    "a raced branch makes decide a conflict and leaves the session waiting",
    async () => {
      const { held, seen } = await raced();
      const late = answerRequest(held.garden, { request: held.request, value: NINE, by: commandLineOwner, seen });
      expect(await codeOf(late)).toBe("CONCURRENT_MODIFICATION");
      expect([await logOf(held), await heldAt(held.garden, held.place)]).toEqual([
        ["finding: Somebody works", `spawn: ${held.session}`],
        held.request,
      ]);
    },
  ],
  [
    "decide again succeeds",
    async () => {
      const { held, seen } = await raced();
      const wish = { request: held.request, value: NINE, by: commandLineOwner };
      await codeOf(answerRequest(held.garden, { ...wish, seen }));
      await answerRequest(held.garden, { ...wish, seen: await head(held) });
      expect((await nextAfter(held)).endsWith("_02")).toBe(true);
    },
  ],
  [
    "repair replays a decision commit that lost its resume",
    async () => {
      // The process died between the commit and the record of the answer.
      const lost = async (): Promise<HeldSession> => {
        const held = await heldSession();
        const wish = { request: held.request, question: "How many?", value: NINE, by: "owner" };
        await commitDecision(held.garden, held.session, wish);
        return held;
      };
      const repeated = await lost();
      await decide(repeated);
      const other = await lost();
      expect(await codeOf(decide(other, { number: 8 }))).toBe("INVALID_TRANSITION");
      const resumed = await lost();
      for (const held of [repeated, other, resumed]) {
        expect(await nextAfter(held)).toMatch(/_02$/);
        expect((await logOf(held)).filter((line) => line.startsWith("decision"))).toHaveLength(1);
        expect((await requestsOf(held.garden.store, held.place))[0]!.answer).toMatchObject({
          value: NINE,
          by: "owner",
        });
      }
    },
  ],
];

const viewOf = ({ place, request }: Pick<HeldSession, "place" | "request">): Uint8Array =>
  Buffer.from(JSON.stringify({ id: request, ...place }));
const nextAfter = ({ garden, place }: HeldSession): Promise<string> => heldAt(garden, place);

async function wrongForm() {
  const held = await heldSession();
  const before = [await logOf(held), await head(held)];
  const code = await codeOf(decide(held, { number: "nine" }));
  return { code, before, after: [await logOf(held), await head(held)] };
}

/** The branch gets a commit after the person has looked at it. */
async function raced(): Promise<{ held: HeldSession; seen: string }> {
  const held = await heldSession();
  const seen = await head(held);
  const edits = [{ path: "notes/new.md", bytes: Buffer.from("x\n") }];
  const wish = { expect: seen, kind: "finding", message: "Somebody works", tree: { edits } };
  await commitSession(held.garden, held.session, wish);
  return { held, seen };
}

const asked = (kind: RequestedEffect["kind"], payload: RequestedEffect["payload"] = {}, name: string = kind) => ({
  kind,
  name,
  payload,
});
const fits = (ask: RequestedEffect, value: Json): boolean => answerFault(ask, value) === undefined;
const review = asked("human", { form: "review" });
const choice = asked("human", { form: "choice", options: ["a", "b"] });

/** H14 to H23. */
export const answerChecks: readonly SessionCheck[] = [
  ["typed answer: review approve", () => expect(fits(review, { decision: "approve" })).toBe(true)],
  ["typed answer: review maybe", () => expect(fits(review, { decision: "maybe" })).toBe(false)],
  ["typed answer: choice in options", () => expect(fits(choice, { choice: "b" })).toBe(true)],
  ["typed answer: choice outside", () => expect(fits(choice, { choice: "c" })).toBe(false)],
  ["typed answer: text", () => expect(fits(asked("human", { form: "text" }), { text: "" })).toBe(true)],
  ["typed answer: judge boolean", () => expect(fits(asked("judge", {}, "question"), true)).toBe(true)],
  ["typed answer: judge string", () => expect(fits(asked("judge", {}, "question"), "true")).toBe(false)],
  [
    "typed answer: commit oid",
    () =>
      expect([canonicalId("x"), "abc", "G".repeat(40)].map((commit) => fits(asked("commit"), { commit }))).toEqual([
        true,
        false,
        false,
      ]),
  ],
  [
    "typed answer: random range",
    () => expect([0, 0.999, 1, -0.1].map((value) => fits(asked("random"), value))).toEqual([true, true, false, false]),
  ],
  [
    "typed answer: unknown form",
    () => {
      const odd = program(`BEGIN "Odd"\n  a ← ask-human("x", form: "guess")\nEND\n`);
      expect(replay(odd, {}, []).end).toMatchObject({ kind: "failed", problem: { code: "arguments" } });
    },
  ],
];
