import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, Folder } from "lucide-react";
import { useMemo } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { LongList } from "../../components/long-list.tsx";
import { Failed, Loading } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type Entry = AnswerOf<"GET /folders">["entries"][number];

/** The folders and notes of one folder; without one, of the root of the notes. */
export function FolderView({ folder }: { readonly folder: string | undefined }) {
  const t = useT();
  const list = useInfiniteQuery({
    queryKey: ["GET /folders", "list", folder],
    queryFn: ({ pageParam, signal }) =>
      call("GET /folders", {
        query: { limit: "100", ...(folder !== undefined && { folder }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const first = list.data?.pages[0];
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.entries) ?? [], [list.data]);
  return (
    <>
      {first && <p className="meta">{t(words.count, first.notes)}</p>}
      {list.error && <Failed error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState
          title={t(words.none)}
          action={
            <Link to="/notes" search={{ ...(folder !== undefined && { folder }), new: "1" }} className="button">
              {t(words.write)}
            </Link>
          }
        >
          {t(words.noneFact)}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <LongList
          key={first?.folder}
          of={{
            name: `GET /folders ${first?.folder}`,
            items: entries,
            idOf: ({ kind, path }) => `${kind} ${path}`,
            isWhole: !list.hasNextPage,
            more: list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined,
          }}
          label={t(words.title)}
          height={44}
        >
          {(entry) => <Row entry={entry} />}
        </LongList>
      )}
    </>
  );
}

function Row({ entry: { kind, path, notes, title } }: { readonly entry: Entry }) {
  const t = useT();
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (kind === "folder")
    return (
      <>
        <Folder size={17} aria-hidden="true" className="faint" />
        <Link to="/notes" search={{ folder: path }} className="note-row break">
          {name}/
        </Link>
        <span className="meta">{t(words.count, notes ?? 0)}</span>
      </>
    );
  return (
    <>
      <FileText size={17} aria-hidden="true" className="faint" />
      <NotePageLink path={path} className="note-row break">
        {title ?? name}
      </NotePageLink>
    </>
  );
}

const words = {
  title: { en: "Notes", uk: "Нотатки" },
  none: { en: "No notes yet", uk: "Тут ще немає нотаток" },
  noneFact: { en: "A note is a Markdown file of your garden.", uk: "Нотатка — це файл Markdown вашого саду." },
  write: { en: "Write a note", uk: "Написати нотатку" },
  count: { en: "{} [note|notes]", uk: "{} [нотатка|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
