import { Link } from "@tanstack/react-router";
import {
  ChevronLeft,
  FileMinus,
  FilePen,
  FilePlus2,
  Folder,
  GitPullRequestArrow,
  MessageSquare,
  Truck,
} from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Remark } from "../../../api/endpoints.gen.ts";
import { LineCounts } from "../../../components/line-counts.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { Segments } from "../../../components/segments.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { type Text, useT } from "../../../i18n/use-t.ts";
import { noteName } from "../../proposals/title.ts";
import type { MergeChoice, MergeEntry } from "./merge-choice.ts";

type Show = "all" | "unseen" | "conflicts";

/** The files of a merge by folder, each with a checkbox. A folder is taken, partly taken or left out, and says how many. */
export function FileTree(props: {
  readonly choice: MergeChoice;
  readonly remarks: readonly Remark[];
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
  /** A decided merge shows what was taken. */
  readonly isOpen: boolean;
}) {
  const { choice, remarks, chosen, onChoose, isOpen } = props;
  const { entries, taken, isTaken, isSeen, take } = choice;
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [show, setShow] = useState<Show>("all");
  useKeys({ "/": () => field.current?.focus() });
  const conflicts = entries.filter(({ isConflict }) => isConflict).length;
  const shown = entries.filter(
    (entry) =>
      entry.paths.some((path) => path.toLocaleLowerCase().includes(text.toLocaleLowerCase())) &&
      (show === "all" || (show === "unseen" ? !isSeen(entry) : entry.isConflict)),
  );
  const folders = useMemo(() => Map.groupBy(shown, ({ file }) => folderOf(file.path)), [shown]);
  return (
    <section className="merge-tree" aria-label={t(words.files)}>
      <div className="queue-head">
        <Link to="/proposals" search={(before: object) => before} className="merge-back small">
          <ChevronLeft size={15} aria-hidden="true" />
          {t(words.back)}
        </Link>
        <div className="row between">
          <h2>{t(words.count, entries.length)}</h2>
          <span className="meta">
            {t(words.taken, taken.length)} · {t(words.seen, entries.filter(isSeen).length)}
          </span>
        </div>
        <div className="merge-meter" aria-hidden="true">
          <i style={{ width: `${entries.length === 0 ? 0 : (taken.length / entries.length) * 100}%` }} />
        </div>
        <SearchField
          field={field}
          label={t(words.filter)}
          hint={t(words.filter)}
          text={text}
          maxLength={200}
          onText={setText}
        />
        <Segments
          label={t(words.show)}
          value={show}
          options={[
            { value: "all", name: t(words.all) },
            { value: "unseen", name: t(words.unseen) },
            ...(conflicts > 0 ? [{ value: "conflicts" as const, name: t(words.conflicts, conflicts) }] : []),
          ]}
          onChoose={setShow}
        />
      </div>
      <div className="merge-rows">
        {[...folders].map(([folder, inside]) => {
          const free = inside.filter(({ isConflict }) => !isConflict);
          const count = inside.filter(isTaken).length;
          return (
            <div key={folder} role="group" aria-label={folder}>
              <div className="merge-row folder">
                <Tick
                  label={t(words.takeFolder, folder)}
                  state={count === 0 ? "none" : count === inside.length ? "all" : "some"}
                  isDisabled={!isOpen || free.length === 0}
                  onTick={(now) => take(free, now)}
                />
                <Folder size={15} aria-hidden="true" />
                <span className="cut">{folder}</span>
                <span className="meta">{t(words.of, count, inside.length)}</span>
              </div>
              {inside.map((entry) => (
                <FileRow
                  key={entry.file.path}
                  entry={entry}
                  choice={choice}
                  comments={remarks.filter(({ place }) => place && entry.paths.includes(place.path)).length}
                  isChosen={chosen === entry.file.path}
                  isOpen={isOpen}
                  onChoose={() => onChoose(entry.file.path)}
                />
              ))}
            </div>
          );
        })}
        {shown.length === 0 && <p className="quiet merge-none">{t(words.none)}</p>}
      </div>
    </section>
  );
}

const ICONS = { added: FilePlus2, changed: FilePen, removed: FileMinus } as const;

function FileRow(props: {
  readonly entry: MergeEntry;
  readonly choice: MergeChoice;
  readonly comments: number;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
}) {
  const { entry, choice, comments, isChosen, isOpen, onChoose } = props;
  const { file, isConflict, added, removed } = entry;
  const t = useT();
  const Icon = file.moved_from === undefined ? ICONS[file.change] : Truck;
  const isTaken = choice.isTaken(entry);
  const state = isConflict ? "open" : isTaken ? "" : "out";
  return (
    <div className={`merge-row ${state} ${choice.isSeen(entry) ? "seen" : ""} ${isChosen ? "chosen" : ""}`}>
      {isConflict ? (
        <span className="tick-conflict">
          <GitPullRequestArrow size={10} aria-hidden="true" />
        </span>
      ) : (
        <Tick
          label={t(words.take, file.path)}
          state={isTaken ? "all" : "none"}
          isDisabled={!isOpen}
          onTick={(now) => choice.take([entry], now)}
        />
      )}
      <Icon size={15} aria-hidden="true" />
      <button type="button" className="cut" aria-current={isChosen} title={file.path} onClick={onChoose}>
        {noteName(file.path)}
      </button>
      <span className="merge-end">
        {comments > 0 && (
          <span className="merge-comments">
            <MessageSquare size={12} aria-hidden="true" />
            {comments}
            <span className="hidden-visually"> {t(words.comments)}</span>
          </span>
        )}
        {isConflict ? (
          <span className="state warn">{t(words.conflict)}</span>
        ) : (
          <>
            {file.change === "added" && (
              <span className="merge-new">{t(file.moved_from === undefined ? words.new : words.moved)}</span>
            )}
            {file.change === "removed" && <span className="merge-gone">{t(words.deleted)}</span>}
            <LineCounts added={added} removed={removed} />
          </>
        )}
      </span>
    </div>
  );
}

/** A checkbox with a third state. */
function Tick(props: {
  readonly label: string;
  readonly state: "all" | "some" | "none";
  readonly isDisabled: boolean;
  readonly onTick: (isTaken: boolean) => void;
}) {
  const { label, state, isDisabled, onTick } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current!.indeterminate = state === "some";
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={state === "all"}
      disabled={isDisabled}
      onChange={() => onTick(state !== "all")}
    />
  );
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "/";

const words = {
  files: { en: "Files", uk: "Файли" },
  back: { en: "All changes", uk: "Усі зміни" },
  count: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  taken: { en: "{} taken", uk: "узято {}" },
  seen: { en: "{} seen", uk: "переглянуто {}" },
  filter: { en: "Filter files", uk: "Фільтр файлів" },
  show: { en: "Show", uk: "Показати" },
  all: { en: "All", uk: "Усі" },
  unseen: { en: "Unseen", uk: "Нові" },
  conflicts: { en: "{} [conflict|conflicts]", uk: "{} [розбіжність|розбіжності|розбіжностей]" },
  takeFolder: { en: "Take all of {}", uk: "Узяти все з {}" },
  take: { en: "Take {}", uk: "Узяти {}" },
  of: { en: "{} of {}", uk: "{} із {}" },
  comments: { en: "comments", uk: "коментарі" },
  conflict: { en: "conflict", uk: "розбіжність" },
  new: { en: "new", uk: "нове" },
  moved: { en: "moved", uk: "переміщено" },
  deleted: { en: "deleted", uk: "видалено" },
  none: { en: "No file matches.", uk: "Жоден файл не підходить." },
} as const satisfies Record<string, Text>;
