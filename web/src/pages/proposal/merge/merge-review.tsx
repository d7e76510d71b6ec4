import { type ReactNode, useState } from "react";
import type { Remark, Review, Proposal as Whole } from "../../../api/endpoints.gen.ts";
import { useDraft } from "../../../components/draft.ts";
import { useKeys } from "../../../components/use-keys.ts";
import { type Text, useT } from "../../../i18n/use-t.ts";
import type { DiffView } from "../change-views.ts";
import type { RemarksOf } from "../effect.tsx";
import { noteDraft } from "../use-decision.ts";
import { FileTree } from "./file-tree.tsx";
import { type MergeChoice, useMergeChoice } from "./merge-choice.ts";
import { MergeContext } from "./merge-context.tsx";
import { MergeFiles } from "./merge-files.tsx";
import "../../../style/merge.css";

interface MergePart {
  readonly label: string;
  readonly files: readonly string[] | undefined;
  readonly stays: string | undefined;
  readonly note: string;
}

interface MergeParts {
  readonly tree: ReactNode;
  readonly body: (view: DiffView, remarksOf: RemarksOf) => ReactNode;
  readonly context: ReactNode;
  /** Properties of the decision bar. */
  readonly bar: { readonly part: MergePart; readonly cannot?: string };
  readonly next: () => void;
  readonly previous: () => void;
}

/** The session of a proposed merge; undefined for any other change. */
export const mergedSession = ({ operation }: Whole): string | undefined =>
  operation.action === "propose-merge" ? operation.payload.session : undefined;

/** S-11: the parts of the review of a merge, or undefined for any other change. `j` and `k` go through its files, `v` marks one as seen. */
export function useMergeReview(
  proposal: Whole,
  review: Review | undefined,
  remarks: readonly Remark[],
): MergeParts | undefined {
  const t = useT();
  const session = mergedSession(proposal);
  const choice = useMergeChoice(proposal.id, session === undefined ? undefined : review);
  const [chosen, setChosen] = useState<string>();
  const [note, setNote] = useDraft(noteDraft(`${proposal.id}.part`));
  const isOpen = proposal.status === "pending";
  const choose = (path: string): void => {
    setChosen(path);
    // A merge of many files shows the chosen one only after this.
    requestAnimationFrame(() =>
      document.querySelector(`.changed-file[data-path="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "start" }),
    );
  };
  const { entries } = choice;
  const at = entries.findIndex(({ file }) => file.path === chosen);
  const go = (step: number) => (): void => {
    const next = entries[Math.min(entries.length - 1, Math.max(0, at + step))];
    if (next) choose(next.file.path);
  };
  const [next, previous] = [go(1), go(-1)];
  const here = entries[at];
  useKeys(session === undefined || !here ? {} : { v: () => choice.see(here, !choice.isSeen(here)) });
  if (session === undefined || !review) return undefined;
  return {
    tree: <FileTree {...{ choice, remarks, chosen, isOpen }} onChoose={choose} />,
    body: (view, remarksOf) => (
      <MergeFiles id={proposal.id} {...{ session, review, choice, view, remarksOf, chosen, isOpen }} />
    ),
    context: <MergeContext {...{ session, choice, isOpen, note }} onNote={setNote} />,
    bar: { part: partOf(choice, note, t), ...(choice.unopened > 0 && { cannot: t(words.unopened, choice.unopened) }) },
    next,
    previous,
  };
}

function partOf(choice: MergeChoice, note: string, t: ReturnType<typeof useT>): MergePart {
  const { entries, taken, files } = choice;
  const left = entries.length - taken.length;
  return {
    label: left === 0 ? t(words.mergeAll, entries.length) : t(words.merge, taken.length, entries.length),
    files,
    stays: left === 0 ? undefined : t(words.stays, left),
    note,
  };
}

const words = {
  merge: { en: "Merge {} of {} files", uk: "Злити {} із {} файлів" },
  mergeAll: { en: "Merge {} [file|files]", uk: "Злити {} [файл|файли|файлів]" },
  stays: {
    en: "{} [file stays|files stay] on the branch",
    uk: "{} [файл лишається|файли лишаються|файлів лишаються] на гілці",
  },
  unopened: {
    en: "{} [file that loses words|files that lose words] to open first",
    uk: "Спершу відкрийте: {} [файл втрачає|файли втрачають|файлів втрачають] слова",
  },
} as const satisfies Record<string, Text>;
