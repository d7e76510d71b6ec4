import { asFailure } from "../../../base/failure.ts";
import { SESSION_BRANCHES } from "../../../domain/layout.ts";
import { sessionFindings } from "../../sessions/session-findings.ts";
import { type Check, mainOf } from "./check.ts";

export const sessionsCheck: Check = {
  id: "sessions",
  rule: "S-2",
  title: {
    en: "sessions have branch and briefing, readable traces, and the edges that their commits name",
    uk: "сесії мають гілку й завдання, читні сліди та зв'язки, які називають їхні коміти",
  },
  async *run(garden) {
    const open = await mainOf(garden);
    if (!open) return;
    const { folder, world } = garden;
    try {
      // A repair writes no entries, so there are no secrets to remove.
      yield* sessionFindings({ repo: open.repo, folder, world, secrets: () => [] });
    } catch (error) {
      yield { where: SESSION_BRANCHES, what: asFailure(error).text };
    }
  },
};
