import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { GitCommitVertical, Search, Share } from "lucide-react";
import { useEffect, useState } from "react";
import { query } from "../api/queries.ts";
import { Button, Form, TextField } from "../components/form.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { ChainView } from "./why/chain-view.tsx";
import { LatestChanges } from "./why/latest-changes.tsx";
import { ShareStory } from "./why/share-story.tsx";
import { StoryView } from "./why/story-view.tsx";
import { UndoLink } from "./why/undo-link.tsx";
import "../style/why.css";

/** P-11: why something is as it is. A line, a note, a commit or a proposal has a story; a run or an icon has causes and effects. */
export function WhyPage() {
  const { subject = "" } = useSearch({ strict: false }) as { subject?: string | number };
  const asked = String(subject);
  return asked === "" ? <AskWhy /> : <Answer key={asked} subject={asked} />;
}

function AskWhy() {
  const t = useT();
  return (
    <>
      <TopBar icon={GitCommitVertical} crumbs={[]} title={t(words.title)} />
      <div className="page stack why-start">
        <header className="stack tight">
          <h1 className="page-title">{t(words.question)}</h1>
          <p className="reason quiet">{t(words.how)}</p>
        </header>
        <SubjectForm subject="" />
        <LatestChanges />
      </div>
    </>
  );
}

function SubjectForm({ subject }: { readonly subject: string }) {
  const t = useT();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(subject);
  useEffect(() => setAsked(subject), [subject]);
  return (
    <Form className="row why-ask" onSubmit={() => void navigate({ to: "/why", search: { subject: asked.trim() } })}>
      <TextField label={t(words.about)} value={asked} onText={setAsked} />
      <button type="submit" className="button primary" disabled={asked.trim() === ""}>
        {t(words.ask)}
      </button>
    </Form>
  );
}

function Answer({ subject }: { readonly subject: string }) {
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const found = useQuery(query("GET /audit/story", { query: { subject } }));
  const story = found.data?.story;
  return (
    <>
      <TopBar
        icon={GitCommitVertical}
        crumbs={[{ name: t(words.title), to: "/why" }]}
        title={shortName(subject, t(words.line))}
      >
        <Button tone="small ghost" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          <Search size={14} aria-hidden="true" />
          {t(words.another)}
        </Button>
        {story?.revertible !== undefined && <UndoLink id={story.revertible} />}
        {story && (
          <Button tone="small primary" onClick={() => setSharing(true)}>
            <Share size={14} aria-hidden="true" />
            {t(words.share)}
          </Button>
        )}
      </TopBar>
      <div className="bleed why-page">
        <h1 className="hidden-visually">{`${t(words.title)}: ${shortName(subject, t(words.line))}`}</h1>
        {isAsking && (
          <div className="why-search">
            <SubjectForm subject={subject} />
          </div>
        )}
        <QueryResult of={found}>
          {(answer) => (answer.story ? <StoryView story={answer.story} /> : <Chain subject={subject} />)}
        </QueryResult>
        {isSharing && story && <ShareStory story={story} subject={subject} onClose={() => setSharing(false)} />}
      </div>
    </>
  );
}

function Chain({ subject }: { readonly subject: string }) {
  const chain = useQuery(query("GET /audit/why", { query: { subject } }));
  return (
    <div className="why-chain">
      <QueryResult of={chain}>{(found) => <ChainView chain={found} />}</QueryResult>
    </div>
  );
}

/** `The old lime tree, line 14` for `notes/garden/The old lime tree.md:14`. */
function shortName(subject: string, line: string): string {
  const [, path, number] = /^(?:.*\/)?(.+?)\.md(?::(\d+))?$/.exec(subject) ?? [];
  if (path === undefined) return /^[0-9a-f]{40}$/.test(subject) ? subject.slice(0, 10) : subject;
  return number === undefined ? path : `${path}, ${line} ${number}`;
}

const words = {
  title: { en: "Why", uk: "Чому" },
  question: { en: "Why is it so?", uk: "Чому це так?" },
  line: { en: "line", uk: "рядок" },
  about: {
    en: "Commit, note or line (notes/mint.md:3), proposal or run",
    uk: "Коміт, нотатка чи її рядок (notes/mint.md:3), пропозиція, запуск",
  },
  ask: { en: "Show why", uk: "Показати чому" },
  another: { en: "Another line, commit or run", uk: "Інший рядок, коміт чи запуск" },
  share: { en: "Share as one file", uk: "Поділитися одним файлом" },
  how: {
    en: "Every line leads back to the commit, the decision, the proposal, the step of a run, the permission and the wish.",
    uk: "Кожен рядок веде до коміту, рішення, пропозиції, кроку запуску, дозволу й бажання.",
  },
} as const satisfies Record<string, Text>;
