import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { GitMerge } from "lucide-react";
import { useState } from "react";
import { peerSessionIn } from "../../../../src/domain/federation/peer-origin.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { StartSession } from "../sessions/start-session.tsx";
import { AdoptSession, ArchiveSession, ProposeMerge } from "./further-actions.tsx";
import { MergeConflicts } from "./merge-conflicts.tsx";
import { ReviewSession } from "./reviews.tsx";

type Read = AnswerOf<"GET /sessions/:name">;

/** A session of another garden is never written to: one that began at it is merged into main. */
const isPeer = (name: string): boolean => peerSessionIn(name) !== undefined;

/** The actions of the owner on a session. */
export function SessionActions({ session }: { readonly session: Read }) {
  const { name, parent, isMoved, goal, head } = session;
  const t = useT();
  const listed = useQuery(query("GET /sessions", {})).data?.sessions.find((each) => each.name === name);
  const isAtWork = listed?.run !== undefined;
  return (
    <>
      {(isMoved || goal === null) && <AdoptSession name={name} hasGoal={goal !== null} />}
      {isMoved && <BindAgain />}
      {listed && !isAtWork && listed.proposal === undefined && <ArchiveSession name={name} />}
      <ReviewSession name={name} />
      <StartSession from={name} />
      {listed?.proposal !== undefined ? (
        <ProposalLink id={listed.proposal} className="button primary small">
          {t(words.review)}
        </ProposalLink>
      ) : parent !== null && !isPeer(parent) ? (
        <MergeIntoParent name={name} parent={parent} />
      ) : (
        listed?.state === "open" && head.kind !== "spawn" && <ProposeMerge name={name} head={head.commit} />
      )}
    </>
  );
}

/** S-5: the work of a sub-agent into the session that it belongs to. Where both changed the same lines, one chooses the words. */
function MergeIntoParent({ name, parent }: { readonly name: string; readonly parent: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState<"ask" | "conflicts">();
  const done = (said: Text): Promise<void> => {
    setIsOpen(undefined);
    toast(t(said, name, parent));
    return invalidate(client, "/sessions", "/session-graph");
  };
  const merge = useMutation({
    mutationFn: () => call("POST /sessions/:name/merge", { params: { name: parent }, body: { from: name } }),
    onSuccess: (answer) =>
      answer.kind === "conflicts"
        ? setIsOpen("conflicts")
        : done(answer.kind === "merged" ? words.merged : words.upToDate),
  });
  return (
    <>
      <Button tone="primary small" onClick={() => setIsOpen("ask")}>
        <GitMerge size={14} aria-hidden="true" />
        {t(words.merge, parent)}
      </Button>
      {isOpen === "ask" && (
        <ActionDialog
          title={t(words.mergeAsk, name, parent)}
          action={{
            label: t(words.mergeNow),
            tone: "primary",
            isDisabled: merge.isPending,
            onConfirm: () => merge.mutate(),
          }}
          error={merge.error && <MutationError error={merge.error} fate="repeat" />}
          onClose={() => setIsOpen(undefined)}
        >
          <p className="quiet">{t(words.mergeAbout)}</p>
        </ActionDialog>
      )}
      {isOpen === "conflicts" && (
        <MergeConflicts
          into={parent}
          from={name}
          onMerged={() => void done(words.merged)}
          onClose={() => setIsOpen(undefined)}
        />
      )}
    </>
  );
}

/** S-6: finds traces whose commits a person rewrote. */
function BindAgain() {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const rebind = useMutation({
    mutationFn: () => call("POST /traces/rebind", {}),
    onSuccess: ({ bound, orphans }) => {
      toast(t(words.bound, bound.length, orphans.length));
      return invalidate(client, "/sessions", "/traces");
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button tone="small" disabled={rebind.isPending} onClick={() => rebind.mutate()}>
      {t(words.bindAgain)}
    </Button>
  );
}

const words = {
  review: { en: "Review the merge", uk: "Переглянути злиття" },
  merge: { en: "Merge into {}", uk: "Злити в {}" },
  mergeAsk: { en: "Merge {} into {}?", uk: "Злити {} у {}?" },
  mergeAbout: {
    en: "One commit with two parents on the branch of the other session. This branch stays as it is; main does not change.",
    uk: "Один коміт із двома батьками на гілці іншої сесії. Ця гілка лишається, як є; main не змінюється.",
  },
  mergeNow: { en: "Merge", uk: "Злити" },
  merged: { en: "{} is merged into {}.", uk: "{} злито в {}." },
  upToDate: { en: "Everything of {} is in {} already.", uk: "Усе з {} уже є в {}." },
  bindAgain: { en: "Bind traces again", uk: "Прив’язати сліди знову" },
  bound: {
    en: "{} [commit|commits] got traces; {} [trace has|traces have] no commit any more.",
    uk: "Сліди прив’язано до {} [коміту|комітів|комітів]; без коміту: {}.",
  },
} as const satisfies Record<string, Text>;
