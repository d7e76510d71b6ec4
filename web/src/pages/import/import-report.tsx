import type { AnswerOf } from "../../api/client.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

export type FileReport = AnswerOf<"POST /imports/check">["reports"][number];

const fates = ["refused", "lost", "kept", "mapped"] as const;

/** One file: its agent, the permissions before and after, and the fate of every key by line. */
export function ImportReportView({ report }: { readonly report: FileReport }) {
  const t = useT();
  const { counts } = report;
  return (
    <section className="card stack">
      <header className="row between wrap">
        <h2 className="mono">{report.file}</h2>
        <span className="meta">{outcomeOf(report, t)}</span>
      </header>
      <p className="quiet">{t(words.counts, counts.mapped, counts.kept, counts.lost, counts.refused)}</p>
      {report.missing.map((text) => (
        <p key={text.en}>{t(text)}</p>
      ))}
      {report.icons > 0 && <p className="quiet">{t(words.drawn, report.icons)}</p>}
      {report.grants.length > 0 && (
        <table className="table">
          <caption>{t(words.shrink)}</caption>
          <thead>
            <tr>
              <th scope="col">{t(words.what)}</th>
              <th scope="col">{t(words.before)}</th>
              <th scope="col">{t(words.after)}</th>
            </tr>
          </thead>
          <tbody>
            {report.grants.map(({ what, before, after }) => (
              <tr key={what.en}>
                <td>{t(what)}</td>
                <td>{t(before)}</td>
                <td>{t(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fates.map((fate) => {
        const entries = report.entries.filter((entry) => entry.fate === fate);
        if (entries.length === 0) return undefined;
        return (
          <details key={fate} open={fate === "refused" || fate === "lost"}>
            <summary>
              {t(words[fate])} {entries.length}
            </summary>
            <table className="table">
              <tbody>
                {entries.map(({ file, line, key, why, to }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
                  <tr key={index}>
                    <td className="mono">{file === report.file ? line : `${file}:${line}`}</td>
                    <td className="mono">{key}</td>
                    <td>
                      {t(why)}
                      {to !== undefined && ` → ${to}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        );
      })}
    </section>
  );
}

function outcomeOf({ outcome, slug = "", free_slug = "" }: FileReport, t: ReturnType<typeof useT>): string {
  if (outcome === "agent") return t(words.agent, slug);
  return outcome === "clash"
    ? t(words.clash, slug, free_slug)
    : t(words[outcome === "component" ? "component" : "refused"]);
}

const words = {
  counts: {
    en: "{} mapped, {} kept as text, {} lost, {} refused",
    uk: "відтворено {}, збережено як текст {}, втрачено {}, відмовлено {}",
  },
  agent: { en: "{}, a draft", uk: "{}, чернетка" },
  clash: { en: "the name {} is in use; {} is free", uk: "назву {} зайнято; вільна {}" },
  component: { en: "a part that others include", uk: "частина, яку приєднують інші" },
  shrink: { en: "Permissions can only shrink", uk: "Дозволи можуть лише звузитися" },
  what: { en: "What", uk: "Що" },
  before: { en: "Before", uk: "До" },
  after: { en: "After", uk: "Після" },
  refused: { en: "Refused", uk: "Відмовлено" },
  lost: { en: "Lost", uk: "Втрачено" },
  kept: { en: "Kept as text", uk: "Збережено як текст" },
  mapped: { en: "Mapped", uk: "Відтворено" },
  drawn: {
    en: "The first diagram has {} [icon|icons]: a draft from the numbered steps, to be checked",
    uk: "Перша діаграма має {} [ікону|ікони|ікон]: чернетка з пронумерованих кроків, яку треба перевірити",
  },
} as const satisfies Record<string, Text>;
