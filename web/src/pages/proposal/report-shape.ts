import type { AnswerOf } from "../../api/client.ts";

/** The report of a change of logic (L-8), as the gateway gives it. */
export type Report = NonNullable<AnswerOf<"GET /proposals/:id">["report"]>;
export type StaticReport = Report["static"];
export type Replayed = NonNullable<Report["counterfactual"]>;
export type ReplayedRun = Replayed["rows"][number];
export type IconPlace = NonNullable<ReplayedRun["at"]>;
