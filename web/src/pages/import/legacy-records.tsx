import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** Imported records beside what they became, read-only (I-2). */
export function LegacyRecords() {
  const t = useT();
  const { language } = usePreferences();
  const [shown, setShown] = useState<string>();
  const list = useQuery(query("GET /legacy", { query: {} }));
  const { records = [] } = list.data ?? {};
  if (records.length === 0) return undefined;
  const until = records
    .map((record) => record.until)
    .toSorted()
    .at(-1)!;
  return (
    <section className="stack" aria-labelledby="legacy">
      <h2 id="legacy">{t(words.title)}</h2>
      <p className="quiet">{t(words.until, new Date(until).toLocaleDateString(language, { dateStyle: "long" }))}</p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t(words.record)}</th>
              <th scope="col">{t(words.guest)}</th>
              <th scope="col">{t(words.before)}</th>
              <th scope="col">{t(words.now)}</th>
            </tr>
          </thead>
          <tbody>
            {records.map(({ id, name, guest, status, now, proposal }) => (
              <tr key={id}>
                <td>
                  <Button
                    tone="ghost"
                    aria-expanded={shown === id}
                    onClick={() => setShown(shown === id ? undefined : id)}
                  >
                    {name || id}
                  </Button>
                  {shown === id && <LegacyRecord id={id} />}
                </td>
                <td>{guest}</td>
                <td>{t(before[status ?? "zone"])}</td>
                <td>
                  {t(nowWords[now])}{" "}
                  {proposal !== undefined && <ProposalLink id={proposal}>{t(words.open)}</ProposalLink>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function LegacyRecord({ id }: { readonly id: string }) {
  const t = useT();
  const one = useQuery(query("GET /legacy/:id", { params: { id } }));
  return (
    <QueryResult of={one}>
      {({ old, text, why }) => {
        const proposed = old["proposedContent"];
        return (
          <div className="stack">
            {why && <p>{t(why)}</p>}
            {text !== "none" && <p className="quiet">{t(words[text])}</p>}
            {typeof proposed === "string" && <pre className="scroll-x">{proposed}</pre>}
          </div>
        );
      }}
    </QueryResult>
  );
}

const before = {
  pending: { en: "pending", uk: "нерозглянута" },
  accepted: { en: "accepted", uk: "прийнята" },
  rejected: { en: "rejected", uk: "відхилена" },
  zone: { en: "zone", uk: "зона" },
} as const satisfies Record<string, Text>;

const nowWords = {
  kept: { en: "history", uk: "історія" },
  refused: { en: "refused", uk: "відмовлено" },
  open: { en: "interrupted: repeat the import", uk: "перервано: повторіть імпорт" },
  pending: { en: "waits for you", uk: "чекає на вас" },
  decided: { en: "decided", uk: "вирішено" },
} as const satisfies Record<string, Text>;

const words = {
  title: { en: "Records of the earlier system", uk: "Записи попередньої системи" },
  until: {
    en: "Read-only. Old texts and addresses are kept until {}; the history stays.",
    uk: "Лише читання. Старі тексти й адреси зберігаються до {}; історія лишається.",
  },
  open: { en: "Open", uk: "Відкрити" },
  record: { en: "Record", uk: "Запис" },
  guest: { en: "Guest", uk: "Гість" },
  before: { en: "Before", uk: "Було" },
  now: { en: "Now", uk: "Тепер" },
  same: { en: "The proposal has this text.", uk: "Пропозиція має саме цей текст." },
  merged: {
    en: "The proposal merges it with later changes of the note.",
    uk: "Пропозиція зливає його з пізнішими змінами нотатки.",
  },
} as const satisfies Record<string, Text>;
