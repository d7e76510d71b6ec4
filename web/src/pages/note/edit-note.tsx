import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { reading } from "../../api/queries.ts";
import { useTell } from "../../parts/notices.tsx";
import { Failed, Shown } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";
import { bothSides } from "./both-sides.ts";
import { Clash, clashesOf } from "./clash.tsx";
import { Editor } from "./editor.tsx";
import { forgetDraft, type KeptDraft, keepDraft, keptDraft, withDraft } from "./kept-draft.ts";
import { linkOfNote } from "./paths.ts";
import { useSend } from "./send.ts";
import { newWriting } from "./writing.ts";

type Whole = AnswerOf<"GET /notes/:path">;
interface Base {
  readonly commit: string;
  readonly oid: string;
  readonly text: string;
}

/** Changing a note. What was begun earlier goes on from the text that it was begun with, and the garden merges what came since. */
export function EditNote({ note }: { readonly note: Whole }) {
  const [kept] = useState(() => keptDraft(note.path));
  const [first] = useState(note);
  const isOlder = kept !== undefined && kept.commit !== first.commit;
  const older = useQuery({
    ...reading("GET /notes/:path", { params: { path: note.path }, query: { at: kept?.commit ?? first.commit } }),
    enabled: isOlder,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isOlder) return <Form then={first} kept={kept} note={note} />;
  return <Shown of={older}>{(then) => <Form then={then} kept={kept} note={note} />}</Shown>;
}

/** A field of a page has no carriage returns; the garden writes line ends as the note had them. */
const baseOf = ({ commit, oid, text = "" }: Whole): Base => ({ commit, oid, text: text.replaceAll("\r\n", "\n") });

function Form({
  then,
  kept,
  note,
}: {
  readonly then: Whole;
  readonly kept: KeptDraft | undefined;
  readonly note: Whole;
}) {
  const say = useSay();
  const tell = useTell();
  const navigate = useNavigate();
  const { path } = note;
  const [base, setBase] = useState(() => baseOf(then));
  const [writing] = useState(() => newWriting(kept ? withDraft(base.text, kept) : base.text));
  const [isChanged, setChanged] = useState(kept !== undefined);
  const [summary, setSummary] = useState("");
  const { isKept, keep, forget, isHere } = useKeeping(path);
  const links = useQuery(reading("GET /links/:path", { params: { path } })).data;
  const linkOf = useMemo(() => linkOfNote(path, links, false), [path, links]);
  const read = (search: Readonly<Record<string, string>> = {}) =>
    void navigate({ to: "/notes/$", params: { _splat: path }, search: search });
  const send = useSend(({ proposal_id, git_commit }) => {
    forget();
    if (git_commit !== undefined) tell(say(words.saved, git_commit.slice(0, 10)));
    // Whoever has gone elsewhere meanwhile is left there.
    if (isHere()) read({ proposal: proposal_id });
  });
  const meet = useMutation({
    mutationFn: () => call("GET /notes/:path", { params: { path } }),
    onSuccess: (now) => {
      const standing = baseOf(now);
      const both = bothSides(base.text, standing.text, writing.text());
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
  const isClash = clashesOf(send.error).length > 0;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {kept && <p className="quiet">{say(words.goesOn)}</p>}
      {note.oid !== base.oid && <p className="warning">{say(words.changed)}</p>}
      {!isKept && <p className="warning">{say(words.notKept)}</p>}
      <Editor
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
        <span>{say(words.summary)}</span>
        <input className="field" value={summary} maxLength={200} onChange={({ target }) => setSummary(target.value)} />
      </label>
      {isClash && <Clash error={send.error!} onBoth={() => meet.mutate()} />}
      <div className="row decide">
        {send.error && !isClash && <Failed error={send.error} />}
        {meet.error && <Failed error={meet.error} />}
        <button type="submit" className="button primary" disabled={!isChanged || send.isPending}>
          {say(words.save)}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            forget();
            read();
          }}
        >
          {say(isChanged ? words.discard : words.back)}
        </button>
        {isChanged && (
          <Link to="/notes/$" params={{ _splat: path }} className="button quiet">
            {say(words.later)}
          </Link>
        )}
      </div>
    </form>
  );
}

/** Keeps what is typed, until it is sent or given up. */
function useKeeping(path: string): {
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
      if (!isOver.current) setKept(keepDraft(path, base, text));
    },
    forget: () => {
      isOver.current = true;
      forgetDraft(path);
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
