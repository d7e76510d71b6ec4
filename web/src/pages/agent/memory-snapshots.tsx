import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, TextField } from "../../components/form.tsx";
import { Empty, Failed, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RestoreMemory } from "./change-memory.tsx";

/** Snapshots of an agent's memory. Restoring one, or the state of a day, is a proposal. */
export function MemorySnapshots({ slug }: { readonly slug: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const params = { agentId: slug };
  const snapshots = useQuery(query("GET /memory/:agentId/snapshots", { params }));
  const [day, setDay] = useState("");
  const take = useMutation({
    mutationFn: () => call("POST /memory/:agentId/snapshots", { params }),
    onSuccess: ({ version }) => toast(t(words.taken, version)),
    onSettled: () => invalidate(client, "/memory"),
  });
  return (
    <div className="stack">
      <div className="row between">
        <p className="quiet">{t(words.about)}</p>
        <Button disabled={take.isPending} onClick={() => take.mutate()}>
          {t(words.take)}
        </Button>
      </div>
      {take.error && <Failed error={take.error} />}
      <QueryResult of={snapshots}>
        {({ snapshots: list }) =>
          list.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            <ul className="stack tight">
              {list.map(({ id, at, version, files, damaged }) => (
                <li key={id} className="card row between">
                  <span>
                    <When at={at} /> <span className="meta">{t(words.content, version, files)}</span>
                    {damaged && <span className="state bad">{t(words.damaged)}</span>}
                  </span>
                  {!damaged && <RestoreMemory slug={slug} from={id} />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
      <div className="row bottom">
        <TextField label={t(words.day)} type="date" value={day} onText={setDay} />
        {day !== "" && <RestoreMemory slug={slug} from={day} />}
      </div>
    </div>
  );
}

const words = {
  about: {
    en: "A snapshot keeps the whole memory; the memory does not change.",
    uk: "Знімок зберігає всю пам’ять; сама вона не змінюється.",
  },
  take: { en: "Take a snapshot", uk: "Зробити знімок" },
  taken: { en: "Snapshot of version {}", uk: "Знімок версії {}" },
  none: { en: "No snapshots yet", uk: "Знімків ще немає" },
  content: { en: "version {}, {} [file|files]", uk: "версія {}, {} [файл|файли|файлів]" },
  damaged: { en: "damaged", uk: "пошкоджено" },
  restoreFrom: { en: "Restore the memory from {}", uk: "Відновити пам’ять із {}" },
  day: { en: "As it was at the end of a day", uk: "Якою була наприкінці дня" },
} as const satisfies Record<string, Text>;
