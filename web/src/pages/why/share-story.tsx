import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useMemo } from "react";
import { storyFileName } from "../../../../src/domain/why/story.ts";
import type { AnswerOf } from "../../api/client.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Button } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Story = NonNullable<AnswerOf<"GET /audit/story">["story"]>;

/** Says how large the file is, what it holds and what it leaves out, before it is saved. */
export function ShareStory(props: { readonly story: Story; readonly subject: string; readonly onClose: () => void }) {
  const { story, subject, onClose } = props;
  const t = useT();
  const { language } = usePreferences();
  const file = useQuery({
    queryKey: ["GET /audit/story/file", subject, language],
    queryFn: async ({ signal }) => {
      const answer = await fetch(`/audit/story/file?subject=${encodeURIComponent(subject)}&lang=${language}`, {
        signal,
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.text();
    },
  });
  return (
    <Dialog title={t(words.title)} onClose={onClose}>
      <QueryResult of={file}>{(html) => <FileFacts story={story} html={html} onClose={onClose} />}</QueryResult>
    </Dialog>
  );
}

function FileFacts({
  story,
  html,
  onClose,
}: {
  readonly story: Story;
  readonly html: string;
  readonly onClose: () => void;
}) {
  const t = useT();
  const name = storyFileName(story);
  const blob = useMemo(() => new Blob([html], { type: "text/html" }), [html]);
  const address = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <>
      <p>
        <code>{name}</code> · <b>{t(words.size, Math.ceil(blob.size / 1000))}</b>
      </p>
      <p>{t(words.opens)}</p>
      <dl className="share-facts">
        <dt>{t(words.in)}</dt>
        <dd>
          {t(words.links, story.links.length)}
          {story.lines.length > 0 && `, ${t(words.lines, story.lines.length)}`}
          {story.diagram && `, ${t(words.diagram)}`}
        </dd>
        <dt>{t(words.out)}</dt>
        <dd>{t(words.left)}</dd>
      </dl>
      <p className="row">
        <a href={address} download={name} className="button primary" onClick={() => setTimeout(onClose)}>
          <Download size={14} aria-hidden="true" />
          {t(words.save)}
        </a>
        <Button onClick={onClose}>{t(words.cancel)}</Button>
      </p>
    </>
  );
}

const words = {
  title: { en: "The story as one file", uk: "Історія одним файлом" },
  size: { en: "{} KB", uk: "{} КБ" },
  opens: {
    en: "It opens in any browser without a network. It has no script and is not signed.",
    uk: "Відкривається в будь-якому браузері без мережі. Не має скриптів і не підписаний.",
  },
  in: { en: "Holds", uk: "Містить" },
  out: { en: "Left out", uk: "Не містить" },
  links: { en: "{} [link|links] with their checks", uk: "{} [ланка|ланки|ланок] з перевірками" },
  lines: { en: "{} [line|lines] of the note", uk: "{} [рядок|рядки|рядків] нотатки" },
  diagram: { en: "the diagram of the run", uk: "схему запуску" },
  left: {
    en: "The rest of the note, other notes that the run read, and the run's messages",
    uk: "Решту нотатки, інші нотатки, які читав запуск, і його повідомлення",
  },
  save: { en: "Save file", uk: "Зберегти файл" },
  cancel: { en: "Cancel", uk: "Скасувати" },
} as const satisfies Record<string, Text>;
