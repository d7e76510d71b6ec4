import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Folder, Hash, NotebookText, Plus, Share2 } from "lucide-react";
import { lazy, Suspense, useRef } from "react";
import { Loading } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { folderSteps } from "./note/folder-steps.ts";
import { NewNote } from "./note/new-note.tsx";
import { SubmittedProposal } from "./note/submitted-proposal.tsx";
import { FolderView } from "./notes/folder-view.tsx";
import { SearchNotes, SearchResults } from "./notes/search-view.tsx";
import { TaggedNotes, TagsView } from "./notes/tags-view.tsx";
import "../style/notes.css";

const GraphView = lazy(async () => ({ default: (await import("./notes/graph-view.tsx")).GraphView }));

interface NotesSearch {
  /** The router parses a numeric value as a number. */
  readonly folder?: string | number;
  readonly q?: string | number;
  readonly new?: string;
  /** "" lists all tags. */
  readonly tag?: string | number;
  /** "" is the whole garden, otherwise the note in the middle. */
  readonly graph?: string | number;
  /** The proposal that was just submitted. */
  readonly proposal?: string;
}

const asText = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** All notes: by folder, by tag, by full-text search, as a graph. */
export function NotesPage() {
  const t = useT();
  const navigate = useNavigate();
  const asked = useSearch({ strict: false }) as NotesSearch;
  const [folder, tag, graph] = [asText(asked.folder), asText(asked.tag), asText(asked.graph)];
  const question = asText(asked.q) ?? "";
  const place = folder === undefined ? {} : { folder };
  const go = (search: NotesSearch, replace = false): void => void navigate({ to: "/notes", search: search, replace });
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus(), n: () => go({ ...place, new: "1" }) });
  const view = graph !== undefined ? "graph" : tag !== undefined ? "tags" : "folders";
  const bar = (
    <TopBar icon={NotebookText} {...barOf(t(words.title), { folder, tag, graph })}>
      <ViewLinks view={view} />
      <Link to="/notes" search={{ ...place, new: "1" }} className="button small">
        <Plus size={14} aria-hidden="true" />
        {t(words.new)} <kbd>n</kbd>
      </Link>
    </TopBar>
  );
  if (graph !== undefined)
    return (
      <>
        {bar}
        <div className="bleed graph-page">
          <h1 className="hidden-visually">{t(words.graphOf)}</h1>
          <Suspense fallback={<Loading />}>
            <GraphView key={graph} around={graph === "" ? undefined : graph} />
          </Suspense>
        </div>
      </>
    );
  return (
    <>
      {bar}
      <div className="page stack">
        <h1 className="page-title">{t(words.title)}</h1>
        <SearchNotes
          field={field}
          question={question}
          onAsk={(q) => go({ ...place, ...(q !== "" && { q }) }, question !== "" && q !== "")}
        />
        {asked.proposal !== undefined && (
          <SubmittedProposal
            id={asked.proposal}
            onApplied={(target) => void navigate({ to: "/notes/$", params: { _splat: target } })}
          />
        )}
        {asked.new !== undefined ? (
          <NewNote folder={folder} />
        ) : question !== "" ? (
          <SearchResults question={question} />
        ) : tag === "" ? (
          <TagsView />
        ) : tag !== undefined ? (
          <TaggedNotes tag={tag} />
        ) : (
          <FolderView folder={folder} />
        )}
      </div>
    </>
  );
}

function barOf(
  notes: string,
  shown: { readonly folder: string | undefined; readonly tag: string | undefined; readonly graph: string | undefined },
): { readonly title: string; readonly crumbs: readonly { readonly name: string; readonly to: string }[] } {
  const { folder, tag, graph } = shown;
  const top = { name: notes, to: "/notes" };
  if (graph !== undefined && graph !== "")
    return { title: graph.replace(/^.*\//, "").replace(/\.md$/i, ""), crumbs: [top] };
  if (tag !== undefined && tag !== "") return { title: `#${tag}`, crumbs: [top] };
  if (folder === undefined || !folder.includes("/")) return { title: notes, crumbs: [] };
  const slash = folder.lastIndexOf("/");
  return { title: folder.slice(slash + 1), crumbs: folderSteps(folder.slice(0, slash), notes) };
}

function ViewLinks({ view }: { readonly view: "folders" | "tags" | "graph" }) {
  const t = useT();
  const views = [
    { id: "folders", icon: Folder, search: {} },
    { id: "tags", icon: Hash, search: { tag: "" } },
    { id: "graph", icon: Share2, search: { graph: "" } },
  ] as const;
  return (
    <nav className="segments" aria-label={t(words.views)}>
      {views.map(({ id, icon: Icon, search }) => (
        <Link
          key={id}
          to="/notes"
          search={search}
          aria-current={id === view ? "page" : undefined}
          activeProps={{}}
          activeOptions={{ exact: true }}
        >
          <Icon size={13} aria-hidden="true" />
          {t(words[id])}
        </Link>
      ))}
    </nav>
  );
}

const words = {
  title: { en: "Notes", uk: "Нотатки" },
  new: { en: "New note", uk: "Нова нотатка" },
  views: { en: "All notes", uk: "Усі нотатки" },
  folders: { en: "Folders", uk: "Теки" },
  tags: { en: "Tags", uk: "Теги" },
  graph: { en: "Graph", uk: "Граф" },
  graphOf: { en: "Graph of the notes", uk: "Граф нотаток" },
} as const satisfies Record<string, Text>;
