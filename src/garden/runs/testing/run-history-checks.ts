import { expect } from "vitest";
import { readJournal } from "../../core/flow/journal.ts";
import type { SessionCheck } from "../../sessions/testing/object-checks.ts";
import { sessionLog } from "../../sessions/topology.ts";
import { pendingTrace } from "../../sessions/trace-buffer.ts";
import { sessionTraces } from "../../sessions/traces.ts";
import { requestsOf } from "../hold.ts";
import { answerWith, heldAt, resultOfOrder } from "./held-order.ts";
import { gitIn, heldSession } from "./held-session.ts";

/** D27 to D29. */
export const traceOfRunChecks: readonly SessionCheck[] = [
  [
    "transitions appear in the trace buffer",
    async () => {
      const held = await heldSession();
      await heldAt(held.garden, held.place);
      await heldAt(held.garden, held.place);
      const { entries } = await pendingTrace(held.garden, held.session);
      expect(entries.map(({ kind, text, request }) => [kind, text, request])).toEqual([
        ["session", "waits for a person: How many?", held.request],
      ]);
    },
  ],
  [
    "… and travel with the next commit",
    async () => {
      const held = await heldSession();
      await heldAt(held.garden, held.place);
      await answerWith(held.garden, held.request, { number: 9 });
      const [bound] = await sessionTraces(held.garden.repo, held.session);
      expect(bound!.traces.flatMap(({ entries }) => entries.map(({ text }) => text))).toEqual([
        "waits for a person: How many?",
        `owner answered ${held.request}: {"number":9}`,
      ]);
      expect((await pendingTrace(held.garden, held.session)).entries).toEqual([]);
    },
  ],
  [
    "commit carries the behaviour id",
    async () => {
      const held = await heldSession();
      await answerWith(held.garden, held.request, { number: 9 });
      const { commits } = await sessionLog(held.garden.repo, held.session);
      expect(commits.map(({ typed }) => typed?.fields["behaviour"])).toEqual([held.behaviour, held.behaviour]);
      expect(held.behaviour).toMatch(/^[0-9a-f]{40}$/);
    },
  ],
];

/** D43. */
export const historyChecks: readonly SessionCheck[] = [
  [
    "session history = git log of the dossier",
    async () => {
      // The history of a run is its journal, which is written once; that of its session is the branch. Both name the same decisions.
      const held = await heldSession();
      await answerWith(held.garden, held.request, { number: 9 }, "nine");
      const next = await heldAt(held.garden, held.place);
      await resultOfOrder({ ...held, request: next }, { number: 5 });
      const { request, records } = (await readJournal(held.garden.store, held.place))!;
      expect([request?.run_id, records.map(({ position }) => position)]).toEqual([
        held.place.run,
        records.map((_, index) => index + 1),
      ]);
      const decisions = (await requestsOf(held.garden.store, held.place)).map(({ answer }) => answer?.decision);
      const log = gitIn(held, "log", "--format=%H %s", `agents/${held.session}`, "--not", "main").split("\n");
      expect(log).toEqual([
        `${decisions[1]} decision: Answer to: At which price?`,
        `${decisions[0]} decision: nine`,
        expect.stringContaining("spawn: "),
      ]);
    },
  ],
];
