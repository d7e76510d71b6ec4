import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import { invalidate, query } from "../../../api/queries.ts";
import { ConflictEditor, type ResolvedFile } from "../../../components/conflict-editor.tsx";
import { Button } from "../../../components/form.tsx";
import { MutationError } from "../../../components/mutation-error.tsx";
import { QueryResult } from "../../../components/query-result.tsx";
import { useToast } from "../../../components/toasts.tsx";
import { type Text, useT } from "../../../i18n/use-t.ts";
import { noteName } from "../../proposals/title.ts";

/**
 * S-5: files that main and the session changed in the same lines. Once every place has words, main is merged into the session with them, and
 * a new proposal takes the place of this one. Until then these files stay on the branch.
 */
export function ResolveMerge(props: { readonly id: string; readonly session: string; readonly isOpen: boolean }) {
  const { id, session, isOpen } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [files, setFiles] = useState<ReadonlyMap<string, ResolvedFile>>(new Map());
  const read = useQuery(query("GET /proposals/:id/conflicts", { params: { id } }));
  const resolve = useMutation({
    mutationFn: () =>
      call("POST /proposals/:id/resolve", { params: { id }, body: { files: Object.fromEntries(files) } }),
    async onSuccess({ proposal }) {
      toast(t(words.resolved));
      await invalidate(client, "/proposals", "/sessions", "/session-graph");
      return navigate({ to: "/proposals/$id", params: { id: proposal.id } });
    },
    // Main or the session may have moved: what is in conflict now is read again.
    onError: () => void invalidate(client, "/proposals"),
  });
  return (
    <QueryResult of={read}>
      {({ ours, theirs, conflicts }) => {
        const open = conflicts.filter(({ path }) => !files.has(path));
        const first = open[0]?.path;
        return (
          <div className="merge-conflicts">
            {conflicts.map((file) => (
              <section
                key={`${file.path} ${ours}`}
                className="changed-file"
                aria-label={file.path}
                data-path={file.path}
              >
                <div className="merge-file-head">
                  <b className="cut">{noteName(file.path)}</b>
                  <span className="meta cut">{file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")))}</span>
                  <span className="grow" />
                  <span className={files.has(file.path) ? "state good" : "state warn"}>
                    {t(files.has(file.path) ? words.chosen : words.notYet)}
                  </span>
                </div>
                <ConflictEditor
                  file={file}
                  ours={{ commit: ours, name: "main" }}
                  theirs={{ commit: theirs, name: session }}
                  hasKeys={isOpen && file.path === first}
                  onResolved={(text) =>
                    setFiles((before) => {
                      const now = new Map(before);
                      if (text === undefined) now.delete(file.path);
                      else now.set(file.path, text);
                      return now;
                    })
                  }
                />
              </section>
            ))}
            {resolve.error && <MutationError error={resolve.error} fate="repeat" />}
            {isOpen && (
              <div className="row">
                <Button tone="primary" disabled={open.length > 0 || resolve.isPending} onClick={() => resolve.mutate()}>
                  {t(words.use)}
                </Button>
                <span className="meta">{open.length > 0 ? t(words.left, open.length) : t(words.next)}</span>
              </div>
            )}
          </div>
        );
      }}
    </QueryResult>
  );
}

const words = {
  chosen: { en: "words chosen", uk: "слова вибрано" },
  notYet: { en: "not in the merge yet", uk: "ще не в злитті" },
  use: { en: "Use these words", uk: "Узяти ці слова" },
  left: {
    en: "{} [file stays|files stay] on the branch until words are chosen",
    uk: "{} [файл лишається|файли лишаються|файлів лишаються] на гілці, доки не вибрано слів",
  },
  next: {
    en: "Main is merged into the session with these words; you then decide on the whole.",
    uk: "main буде злито в сесію з цими словами; тоді ви вирішите про все разом.",
  },
  resolved: { en: "Conflicts resolved. Review the merge.", uk: "Розбіжності розв’язано. Перегляньте злиття." },
} as const satisfies Record<string, Text>;
