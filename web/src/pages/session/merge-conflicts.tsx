import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { ConflictEditor, type ResolvedFile } from "../../components/conflict-editor.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** S-5: chooses words for every place that two sessions changed both, then concludes the merge. */
export function MergeConflicts(props: {
  readonly into: string;
  readonly from: string;
  readonly onMerged: () => void;
  readonly onClose: () => void;
}) {
  const { into, from, onMerged, onClose } = props;
  const t = useT();
  const [files, setFiles] = useState<ReadonlyMap<string, ResolvedFile>>(new Map());
  const read = useQuery(query("GET /sessions/:name/conflicts", { params: { name: into }, query: { from } }));
  const found = read.data;
  const resolve = useMutation({
    mutationFn: () =>
      call("POST /sessions/:name/resolve", {
        params: { name: into },
        body: {
          from,
          ours: found!.ours,
          theirs: found!.theirs,
          files: [...files].map(([path, text]) => ({ path, text })),
        },
      }),
    onSuccess: onMerged,
    // A head that moved meanwhile: what is in conflict now is read again.
    onError: () => void read.refetch(),
  });
  const open = found ? found.conflicts.filter(({ path }) => !files.has(path)) : [];
  return (
    <ActionDialog
      title={t(words.title, found?.conflicts.length ?? 0)}
      action={{
        label: t(words.conclude),
        tone: "primary",
        isDisabled: !found || open.length > 0 || resolve.isPending,
        onConfirm: () => resolve.mutate(),
      }}
      error={resolve.error && <MutationError error={resolve.error} />}
      onClose={onClose}
    >
      <QueryResult of={read}>
        {({ ours, theirs, conflicts }) => (
          <div className="stack conflicts">
            {conflicts.map((file) => (
              <section key={`${file.path} ${ours} ${theirs}`} className="stack tight">
                <h3 className="break">{file.path}</h3>
                <ConflictEditor
                  file={file}
                  ours={{ commit: ours, name: into }}
                  theirs={{ commit: theirs, name: from }}
                  hasKeys={false}
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
            <p className="meta">{open.length === 0 ? t(words.allChosen) : t(words.left, open.length)}</p>
          </div>
        )}
      </QueryResult>
    </ActionDialog>
  );
}

const words = {
  title: {
    en: "Both changed {} [file|files]. Which words stay?",
    uk: "Обидві змінили {} [файл|файли|файлів]. Які слова лишаться?",
  },
  conclude: { en: "Merge with these words", uk: "Злити з цими словами" },
  allChosen: { en: "Every place has words.", uk: "Кожне місце має слова." },
  left: { en: "{} [file has|files have] an open place", uk: "{} [файл має|файли мають|файлів мають] відкрите місце" },
} as const satisfies Record<string, Text>;
