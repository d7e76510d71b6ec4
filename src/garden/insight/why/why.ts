import type { WhyGarden } from "./chain.ts";
import { explainSubject } from "./explain.ts";
import { findSubject } from "./subject.ts";
import type { WhyReport } from "./why-report.ts";

/**
 * Why is it so? Walks from a commit, a line, a proposal or a run to everything that led to it and everything that came of
 * it (P-11), and believes no link that it has not checked: a trailer alone is a claim, because a cherry-pick copies it.
 * What is missing or false is named; the rest of the chain is walked all the same. Reads only.
 */
export async function explain(garden: WhyGarden, asked: string): Promise<WhyReport> {
  const subject = await findSubject(garden, asked);
  return explainSubject(garden, subject);
}
