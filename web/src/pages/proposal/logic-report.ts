import type { AnswerOf } from "../../api/client.ts";

/** The gateway's report on a change of logic (L-8). */
export type LogicReport = NonNullable<AnswerOf<"GET /proposals/:id">["report"]>;
export type ReplaySummary = NonNullable<LogicReport["counterfactual"]>;
export type ReplayedRun = ReplaySummary["rows"][number];
export type ReplayPlace = NonNullable<ReplayedRun["at"]>;
