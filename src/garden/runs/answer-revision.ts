import { isFailure, isLostAnswer } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { FOLLOWER } from "../../domain/config/model-registry.ts";
import { MAX_REMARK } from "../../domain/proposal/remark.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import type { RunManifest } from "../../domain/run/run-manifest.ts";
import { addRemark } from "../changes/proposals/remarks.ts";
import { readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { findReadable } from "../records/proposals/proposal-log.ts";

/**
 * P-10c: a run that does not propose the revision says why, as a comment of the agent on the proposal that was sent back: the owner looks
 * there. Idempotent: the key is the run.
 */
export async function answerRevision(garden: Garden, manifest: RunManifest, { revises }: RunRequest): Promise<void> {
  const { agent_slug: slug, run_id: run, outcome, error, model_used } = manifest;
  if (revises === undefined || manifest.status === "cancelled") return;
  const records = (await readJournal(garden.store, { slug, run }))?.records ?? [];
  const made = records.flatMap(({ proposals }) => proposals);
  if (await isRevised(garden, revises, made)) return;
  const language = garden.config.language ?? "uk";
  const refused = records.map(({ output }) => output as RefusedRevision | null).find((one) => one?.same_as === revises);
  const told = outcome && "reason" in outcome ? outcome.reason : undefined;
  const said = refused?.reason ?? told ?? error ?? "";
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

/** The part of a refusal that says what the refused change is the same as. */
interface RefusedRevision {
  readonly same_as?: string;
  readonly reason?: string;
}

/** True if one of the proposals is of the kind that was sent back: a revision may have another target, such as a better path. */
async function isRevised({ store }: Garden, revises: string, made: readonly string[]): Promise<boolean> {
  const before = await findReadable(store, revises);
  for (const id of made) {
    const one = await findReadable(store, id);
    if (one && one.action === before?.action) return true;
  }
  return false;
}

const WORDS: Readonly<Record<"none" | "follower", Text>> = {
  none: { en: "There is no revised proposal.", uk: "Доопрацьованої пропозиції немає." },
  follower: {
    en: "This agent follows its diagram without a language model, so it cannot use comments: change its diagram, or edit the proposal yourself.",
    uk: "Цей агент виконує діаграму без мовної моделі, тож не може врахувати коментарі: змініть його діаграму або виправте пропозицію самі.",
  },
};
