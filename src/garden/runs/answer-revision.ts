import { isFailure, isLostAnswer } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { FOLLOWER } from "../../domain/config/model-registry.ts";
import { MAX_REMARK } from "../../domain/proposal/remark.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import type { RunManifest } from "../../domain/run/run-manifest.ts";
import { addRemark } from "../changes/proposals/remarks.ts";
import type { Garden } from "../core/garden.ts";

/**
 * P-10c: a revision that proposes nothing says why, as a comment of the agent on the proposal that was sent back: the owner looks there.
 * Idempotent: the key is the run.
 */
export async function answerRevision(garden: Garden, manifest: RunManifest, { revises }: RunRequest): Promise<void> {
  const { agent_slug: slug, run_id: run, outcome, error, proposals_created, model_used } = manifest;
  if (revises === undefined || proposals_created > 0 || manifest.status === "cancelled") return;
  const language = garden.config.language ?? "uk";
  const said = (outcome && "reason" in outcome ? outcome.reason : undefined) ?? error ?? "";
  const text = [WORDS.none[language], said, model_used === FOLLOWER ? WORDS.follower[language] : ""]
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, MAX_REMARK)
    .toWellFormed();
  await addRemark(garden, { proposal: revises, by: { type: "agent", slug, run }, text, key: run }).catch(
    (thrown: unknown) => {
      // The proposal may be deleted or hold the most comments already; that does not keep a run from ending.
      if (!isFailure(thrown) || isLostAnswer(thrown)) throw thrown;
    },
  );
}

const WORDS: Readonly<Record<"none" | "follower", Text>> = {
  none: { en: "There is no revised proposal.", uk: "Доопрацьованої пропозиції немає." },
  follower: {
    en: "This agent follows its diagram without a language model, so it cannot use comments: change its diagram, or edit the proposal yourself.",
    uk: "Цей агент виконує діаграму без мовної моделі, тож не може врахувати коментарі: змініть його діаграму або виправте пропозицію самі.",
  },
};
