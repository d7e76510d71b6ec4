import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useDraft } from "../../components/draft.ts";
import { Form, TextField } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { NoteEditor } from "./note-editor.tsx";
import { linkOfNote } from "./note-links.ts";
import { TextBuffer } from "./text-buffer.ts";
import { useSubmit } from "./use-submit.ts";

/** Creates a note. The gateway derives the file name from the title. */
export function NewNote({ folder = "" }: { readonly folder: string | undefined }) {
  const t = useT();
  const toast = useToast();
  const navigate = useNavigate();
  const [title, setTitle] = useDraft("new-note.title");
  const [where, setWhere] = useDraft("new-note.folder", folder);
  const [kept, setKept] = useDraft("new-note.text");
  const [buffer] = useState(() => new TextBuffer(kept));
  const isOver = useRef(false);
  const linkOf = useMemo(() => linkOfNote(`${where}/new.md`, undefined, false), [where]);
  const forget = (): void => {
    setTitle(undefined);
    setWhere(undefined);
    isOver.current = true;
    setKept(undefined);
  };
  const send = useSubmit(({ proposal_id, git_commit, target }) => {
    forget();
    if (git_commit === undefined)
      void navigate({ to: "/notes", search: { ...(folder !== "" && { folder }), proposal: proposal_id } });
    else {
      toast(t(words.saved, git_commit.slice(0, 10)));
      void navigate({ to: "/notes/$", params: { _splat: target } });
    }
  });
  const isWhole = title.trim() !== "";
  const save = (): void => {
    if (!isWhole || send.isPending) return;
    const place = where.trim().replaceAll(/^\/+|\/+$/g, "");
    const text = buffer.text();
    const begins = /^\s*#\s/.test(text) || text.startsWith("---\n");
    send.mutate({
      action: "propose-note",
      payload: {
        title: title.trim(),
        ...(place !== "" && place !== "." && { folder: place }),
        text: begins ? text : `# ${title.trim()}\n\n${text}`,
      },
    });
  };
  return (
    <Form className="stack" onSubmit={save}>
      <h2>{t(words.title)}</h2>
      <div className="two">
        <label className="labelled">
          <span>{t(words.name)}</span>
          <input
            className="field"
            value={title}
            maxLength={200}
            required
            onChange={({ target }) => setTitle(target.value)}
          />
        </label>
        <TextField label={t(words.folder)} value={where} maxLength={500} onText={setWhere} />
      </div>
      <NoteEditor
        buffer={buffer}
        onRest={(text) => {
          if (!isOver.current) setKept(text);
        }}
        onSave={save}
        linkOf={linkOf}
      />
      <div className="row decide">
        {send.error && <Failed error={send.error} />}
        <button type="submit" className="button primary" disabled={!isWhole || send.isPending}>
          {t(words.save)}
        </button>
        <Link to="/notes" search={folder === "" ? {} : { folder }} className="button" onClick={forget}>
          {t(words.discard)}
        </Link>
      </div>
    </Form>
  );
}

const words = {
  title: { en: "New note", uk: "Нова нотатка" },
  name: { en: "Title", uk: "Назва" },
  folder: { en: "Folder", uk: "Тека" },
  save: { en: "Save", uk: "Зберегти" },
  discard: { en: "Discard", uk: "Відкинути" },
  saved: { en: "Saved. Commit {}.", uk: "Збережено. Коміт {}." },
} as const satisfies Record<string, Text>;
