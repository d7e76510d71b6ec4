import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { conflictsOf, EditConflict } from "./edit-conflict.tsx";
import { keepBoth } from "./keep-both.ts";
import { applyNoteDraft, deleteNoteDraft, type NoteDraft, storedNoteDraft, storeNoteDraft } from "./note-draft.ts";
import { NoteEditor } from "./note-editor.tsx";
import { linkOfNote } from "./note-links.ts";
import { textBuffer } from "./text-buffer.ts";
import { useSubmit } from "./use-submit.ts";

type Whole = AnswerOf<"GET /notes/:path">;
interface Base {
  readonly commit: string;
  readonly oid: string;
  readonly text: string;
}

/** Changing a note. What was begun earlier goes on from the text that it was begun with, and the garden merges what came since. */
export function EditNote({ note }: { readonly note: Whole }) {
  const [kept] = useState(() => storedNoteDraft(note.path));
  const [first] = useState(note);
  const isOlder = kept !== undefined && kept.commit !== first.commit;
  const older = useQuery({
    ...query("GET /notes/:path", { params: { path: note.path }, query: { at: kept?.commit ?? first.commit } }),
    enabled: isOlder,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isOlder) return <Form then={first} kept={kept} note={note} />;
  return <QueryResult of={older}>{(then) => <Form then={then} kept={kept} note={note} />}</QueryResult>;
}

/** A field of a page has no carriage returns; the garden writes line ends as the note had them. */
const baseOf = ({ commit, oid, text = "" }: Whole): Base => ({ commit, oid, text: text.replaceAll("\r\n", "\n") });

function Form({
  then,
  kept,
  note,
}: {
  readonly then: Whole;
  readonly kept: NoteDraft | undefined;
  readonly note: Whole;
}) {
  const t = useT();
  const toast = useToast();
  const navigate = useNavigate();
  const { path } = note;
  const [base, setBase] = useState(() => baseOf(then));
  const [writing] = useState(() => textBuffer(kept ? applyNoteDraft(base.text, kept) : base.text));
  const [isChanged, setChanged] = useState(kept !== undefined);
  const [summary, setSummary] = useState("");
  const { isKept, keep, forget, isHere } = useStoredDraft(path);
  const links = useQuery(query("GET /links/:path", { params: { path } })).data;
  const linkOf = useMemo(() => linkOfNote(path, links, false), [path, links]);
  const read = (search: Readonly<Record<string, string>> = {}) =>
    void navigate({ to: "/notes/$", params: { _splat: path }, search: search });
  const send = useSubmit(({ proposal_id, git_commit }) => {
    forget();
    if (git_commit !== undefined) toast(t(words.saved, git_commit.slice(0, 10)));
    // Whoever has gone elsewhere meanwhile is left there.
    if (isHere()) read({ proposal: proposal_id });
  });
  const meet = useMutation({
    mutationFn: () => call("GET /notes/:path", { params: { path } }),
    onSuccess: (now) => {
      const standing = baseOf(now);
      const both = keepBoth(base.text, standing.text, writing.text());
      writing.put(both);
      setBase(standing);
      setChanged(both !== standing.text);
      keep(standing, both);
      send.reset();
    },
  });
  const save = (): void => {
    const text = writing.text();
    if (text === base.text || send.isPending) return;
    send.mutate({
      action: "propose-edit",
      payload: { path, text, base: base.commit },
      ...(summary.trim() !== "" && { summary: summary.trim() }),
    });
  };
  const isClash = conflictsOf(send.error).length > 0;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {kept && <p className="quiet">{t(words.goesOn)}</p>}
      {note.oid !== base.oid && <p className="warning">{t(words.changed)}</p>}
      {!isKept && <p className="warning">{t(words.notKept)}</p>}
      <NoteEditor
        writing={writing}
        onTyped={() => setChanged(true)}
        onRest={(text) => {
          setChanged(text !== base.text);
          keep(base, text);
        }}
        onSave={save}
        linkOf={linkOf}
      />
      <label className="labelled">
        <span>{t(words.summary)}</span>
        <input className="field" value={summary} maxLength={200} onChange={({ target }) => setSummary(target.value)} />
      </label>
      {isClash && <EditConflict error={send.error!} onBoth={() => meet.mutate()} />}
      <div className="row decide">
        {send.error && !isClash && <Failed error={send.error} />}
        {meet.error && <Failed error={meet.error} />}
        <button type="submit" className="button primary" disabled={!isChanged || send.isPending}>
          {t(words.save)}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            forget();
            read();
          }}
        >
          {t(isChanged ? words.discard : words.back)}
        </button>
        {isChanged && (
          <Link to="/notes/$" params={{ _splat: path }} className="button quiet">
            {t(words.later)}
          </Link>
        )}
      </div>
    </form>
  );
}

/** Keeps what is typed, until it is sent or given up. */
function useStoredDraft(path: string): {
  readonly isKept: boolean;
  readonly keep: (base: Base, text: string) => void;
  readonly forget: () => void;
  readonly isHere: () => boolean;
} {
  const [isKept, setKept] = useState(true);
  const isOver = useRef(false);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return {
    isKept,
    keep: (base, text) => {
      if (!isOver.current) setKept(storeNoteDraft(path, base, text));
    },
    forget: () => {
      isOver.current = true;
      deleteNoteDraft(path);
    },
    isHere: () => isShown.current,
  };
}

const words = {
  saved: { en: "Saved. Commit {}.", uk: "Збережено. Коміт {}." },
  goesOn: {
    en: "You began to change this note earlier; here is how far you had come.",
    uk: "Ви вже почали змінювати цю нотатку; ось на чому ви спинилися.",
  },
  changed: {
    en: "The note was changed since you began. Saving puts both changes together where they fit, and shows you where they do not.",
    uk: "Відтоді нотатка змінилася. Збереження поєднає обидві зміни, а де вони суперечать — покаже.",
  },
  notKept: {
    en: "This browser has no room to keep what you type. It is only on this page: save before you leave.",
    uk: "У браузері немає місця для чернетки. Вона є лише на цій сторінці: збережіть, перш ніж піти.",
  },
  summary: { en: "What changes, in a few words (may be empty)", uk: "Що змінено, кількома словами (можна не писати)" },
  save: { en: "Save", uk: "Зберегти" },
  discard: { en: "Discard my changes", uk: "Відкинути мої зміни" },
  back: { en: "Back", uk: "Назад" },
  later: { en: "Go on later", uk: "Продовжити пізніше" },
} as const satisfies Record<string, Text>;
