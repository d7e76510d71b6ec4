import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { DropZone } from "./drop-zone.tsx";
import type { ImportFile } from "./dropped-files.ts";
import { LegacyRecords } from "./legacy-records.tsx";

/** As much as one request may carry; larger dumps are for the command line. */
const LARGEST_DUMP = 8 * 1024 * 1024;

/** Proposals and zones of the earlier system: the report of a dump, then the import after a backup (I-2). */
export function KvPanel() {
  const t = useT();
  const client = useQueryClient();
  const [isTooLarge, setTooLarge] = useState(false);
  const check = useMutation({
    mutationFn: async (dump: string) => ({ dump, ...(await call("POST /imports/kv/check", { body: { dump } })) }),
  });
  const bring = useMutation({
    mutationFn: ({ dump, digest }: { dump: string; digest: string }) =>
      call("POST /imports/kv", { body: { dump, digest } }),
    onSuccess: () => invalidate(client, "/legacy", "/proposals"),
  });
  const take = async (files: Promise<ImportFile[]>): Promise<void> => {
    const [file] = await files;
    if (!file) return;
    bring.reset();
    const isLarge = "base64" in file || file.text.length > LARGEST_DUMP;
    setTooLarge(isLarge);
    if (!isLarge) check.mutate(file.text);
  };
  const [found, done] = [check.data, bring.data];
  return (
    <div className="page stack">
      <p className="quiet">{t(words.lede)}</p>
      <DropZone
        title={t(words.drop)}
        hint={t(words.hint)}
        hasFolder={false}
        isBusy={check.isPending || bring.isPending}
        largest={LARGEST_DUMP}
        onFiles={(files) => void take(files)}
      />
      {isTooLarge && <p role="alert">{t(words.tooLarge)}</p>}
      {check.error && <Failed error={check.error} />}
      {bring.error && <Failed error={bring.error} />}
      {found && (
        <section className="card stack">
          <div className="row between wrap" role="status">
            <strong>
              {done ? (done.backup === undefined ? t(words.same) : t(words.done, done.backup)) : t(words.nothing)}
            </strong>
            {!done && (
              <Button tone="primary" disabled={bring.isPending} onClick={() => bring.mutate(found)}>
                {t(words.bring)}
              </Button>
            )}
          </div>
          <KvReport report={done ?? found} />
        </section>
      )}
      <LegacyRecords />
    </div>
  );
}

function KvReport({ report }: { readonly report: AnswerOf<"POST /imports/kv/check"> }) {
  const t = useT();
  const { counts } = report;
  return (
    <>
      <p>{t(words.counts, counts.imported, counts.kept, counts.left, counts.earlier, counts.refused)}</p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t(words.record)}</th>
              <th scope="col">{t(words.outcome)}</th>
              <th scope="col">{t(words.why)}</th>
            </tr>
          </thead>
          <tbody>
            {report.records.slice(0, MOST_ROWS).map(({ key, at, outcome, why, note, proposal }) => (
              <tr key={at}>
                <td className="mono">{key}</td>
                <td>{t(outcomes[outcome])}</td>
                <td>
                  {t(why)}
                  {note !== undefined && <span className="mono"> {note}</span>}{" "}
                  {proposal !== undefined && <ProposalLink id={proposal}>{t(words.open)}</ProposalLink>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report.records.length > MOST_ROWS && <p className="quiet">{t(words.more, report.records.length - MOST_ROWS)}</p>}
    </>
  );
}

const MOST_ROWS = 500;

const outcomes = {
  imported: { en: "proposal", uk: "пропозиція" },
  kept: { en: "kept", uk: "збережено" },
  left: { en: "left out", uk: "пропущено" },
  earlier: { en: "imported earlier", uk: "імпортовано раніше" },
  refused: { en: "refused", uk: "відмовлено" },
} as const satisfies Record<string, Text>;

const words = {
  lede: {
    en: "Guests’ proposals and zones of the earlier system. Pending ones wait for you in Review; decided ones stay as history. Access codes are not copied.",
    uk: "Пропозиції гостей і зони попередньої системи. Нерозглянуті чекатимуть на вас у «Перегляді», вирішені лишаться історією. Коди доступу не копіюються.",
  },
  drop: { en: "Drop a dump here", uk: "Перетягніть сюди дамп" },
  hint: { en: "A JSON file of keys and values, up to 8 MB", uk: "Файл JSON із ключами та значеннями, до 8 МБ" },
  tooLarge: {
    en: "This file is no text, or too large for the browser: use bloom import kv on the command line.",
    uk: "Файл не текстовий або завеликий для браузера: виконайте bloom import kv у командному рядку.",
  },
  nothing: { en: "Nothing has been imported yet", uk: "Ще нічого не імпортовано" },
  done: { en: "Imported. Backup before it: {}", uk: "Імпортовано. Копія перед імпортом: {}" },
  same: { en: "Nothing new: every record was imported earlier", uk: "Нічого нового: усі записи імпортовано раніше" },
  bring: { en: "Back up and import", uk: "Зробити копію та імпортувати" },
  counts: {
    en: "{} proposals, {} kept, {} left out, {} imported earlier, {} refused",
    uk: "пропозицій {}, збережено {}, пропущено {}, імпортовано раніше {}, відмов {}",
  },
  open: { en: "Open", uk: "Відкрити" },
  record: { en: "Record", uk: "Запис" },
  outcome: { en: "Outcome", uk: "Наслідок" },
  why: { en: "Reason", uk: "Причина" },
  more: { en: "{} more [record|records]", uk: "Ще {} [запис|записи|записів]" },
} as const satisfies Record<string, Text>;
