import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { conflictsOf, EditConflict } from "./edit-conflict.tsx";
import { keepBoth } from "./keep-both.ts";
import { applyNoteDraft, deleteNoteDraft, type NoteDraft, storedNoteDraft, storeNoteDraft } from "./note-draft.ts";
import { NoteEditor } from "./note-editor.tsx";
import { linkOfNote } from "./note-links.ts";
import { TextBuffer } from "./text-buffer.ts";
import { useSubmit } from "./use-submit.ts";

type Whole = AnswerOf<"GET /notes/:path">;
interface Base {
  readonly commit: string;
  readonly oid: string;
  readonly text: string;
}

/** Edits a note. A stored draft continues from the commit it was started on; the gateway merges later changes. */
export function EditNote({ note }: { readonly note: Whole }) {
  const [kept] = useState(() => storedNoteDraft(note.path));
  const [first] = useState(note);
  const isOlder = kept !== undefined && kept.commit !== first.commit;
  const older = useQuery({
    ...query("GET /notes/:path", { params: { path: note.path }, query: { at: kept?.commit ?? first.commit } }),
    enabled: isOlder,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isOlder) return <NoteForm then={first} kept={kept} note={note} />;
  return <QueryResult of={older}>{(then) => <NoteForm then={then} kept={kept} note={note} />}</QueryResult>;
}

/** A textarea has no carriage returns. The gateway restores the note's own line endings. */
const baseOf = ({ commit, oid, text = "" }: Whole): Base => ({ commit, oid, text: text.replaceAll("\r\n", "\n") });

function NoteForm({
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
  const [buffer] = useState(() => new TextBuffer(kept ? applyNoteDraft(base.text, kept) : base.text));
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
    // Does not navigate if the owner has left this page meanwhile.
    if (isHere()) read({ proposal: proposal_id });
  });
  const merge = useMutation({
    mutationFn: () => call("GET /notes/:path", { params: { path } }),
    onSuccess: (now) => {
      const latest = baseOf(now);
      const both = keepBoth(base.text, latest.text, buffer.text());
      buffer.replace(both);
      setBase(latest);
      setChanged(both !== latest.text);
      keep(latest, both);
      send.reset();
    },
  });
  const save = (): void => {
    const text = buffer.text();
    if (text === base.text || send.isPending) return;
    send.mutate({
      action: "propose-edit",
      payload: { path, text, base: base.commit },
      ...(summary.trim() !== "" && { summary: summary.trim() }),
    });
  };
  const isConflict = conflictsOf(send.error).length > 0;
  return (
    <Form className="stack" onSubmit={save}>
      {kept && <p className="quiet">{t(words.goesOn)}</p>}
      {note.oid !== base.oid && <p className="warning">{t(words.changed)}</p>}
      {!isKept && <p className="warning">{t(words.notKept)}</p>}
      <NoteEditor
        buffer={buffer}
        onTyped={() => setChanged(true)}
        onRest={(text) => {
          setChanged(text !== base.text);
          keep(base, text);
        }}
        onSave={save}
        linkOf={linkOf}
      />
      <TextField label={t(words.summary)} value={summary} maxLength={200} onText={setSummary} />
      {isConflict && <EditConflict error={send.error!} onBoth={() => merge.mutate()} />}
      <div className="row decide">
        {send.error && !isConflict && <Failed error={send.error} />}
        {merge.error && <Failed error={merge.error} />}
        <button type="submit" className="button primary" disabled={!isChanged || send.isPending}>
          {t(words.save)}
        </button>
        <Button
          onClick={() => {
            forget();
            read();
          }}
        >
          {t(isChanged ? words.discard : words.back)}
        </Button>
        {isChanged && (
          <NotePageLink path={path} className="button quiet">
            {t(words.later)}
          </NotePageLink>
        )}
      </div>
    </Form>
  );
}

/** Stores the draft until it is sent or discarded. */
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
  goesOn: { en: "This is your unsaved draft.", uk: "Ви вже почали змінювати цю нотатку; ось на чому ви спинилися." },
  changed: {
    en: "The note has changed since you started. Saving merges both changes and shows conflicts, if any.",
    uk: "Відтоді нотатка змінилася. Збереження поєднає обидві зміни, а де вони суперечать — покаже.",
  },
  notKept: {
    en: "Your browser cannot store a draft. Save before you leave this page.",
    uk: "У браузері немає місця для чернетки. Вона є лише на цій сторінці: збережіть, перш ніж піти.",
  },
  summary: { en: "Summary of the change (optional)", uk: "Що змінено, кількома словами (можна не писати)" },
  save: { en: "Save", uk: "Зберегти" },
  discard: { en: "Discard changes", uk: "Відкинути мої зміни" },
  back: { en: "Back", uk: "Назад" },
  later: { en: "Continue later", uk: "Продовжити пізніше" },
} as const satisfies Record<string, Text>;
