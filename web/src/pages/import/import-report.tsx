import {
  ArrowRight,
  CircleAlert,
  CircleCheck,
  CircleX,
  ListX,
  type LucideIcon,
  ShieldCheck,
  TextQuote,
} from "lucide-react";
import { Fragment, type ReactNode } from "react";
import type { Fate } from "../../../../src/domain/import/import-report.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { countLines, type FileReport, type SourceLine } from "./line-fates.ts";

/** The sums of one file as a sentence and a bar of its lines. */
export function Verdict({ report, lines }: { readonly report: FileReport; readonly lines: readonly SourceLine[] }) {
  const t = useT();
  const counts = countLines(lines);
  const all = counts.mapped + counts.kept + counts.lost + counts.refused;
  const shrunk = report.grants.filter(({ before, after }) => before.en !== after.en).length;
  return (
    <section className="import-verdict" aria-label={t(words.sums)}>
      <p>
        {t(words.verdict, all, counts.mapped, counts.kept, counts.lost)}{" "}
        {report.outcome === "refused" ? (
          <b className="berry">{t(words.isRefused)}</b>
        ) : (
          shrunk > 0 && t(words.shrunk, shrunk)
        )}
      </p>
      {all > 0 && (
        <div className="import-bar" aria-hidden="true">
          {fates.map(
            (fate) => counts[fate] > 0 && <i key={fate} data-fate={fate} style={{ flexGrow: counts[fate] }} />,
          )}
        </div>
      )}
      <ul className="import-legend">
        {fates.map(
          (fate) =>
            counts[fate] > 0 && (
              <li key={fate} data-fate={fate}>
                <b>{counts[fate]}</b> {t(legend[fate])}
              </li>
            ),
        )}
        {counts.blank > 0 && <li className="quiet">{t(words.blank, counts.blank)}</li>}
      </ul>
    </section>
  );
}

const fates = ["mapped", "kept", "lost", "refused"] as const;

/** One file: what is missing, the fate of every key by line, and the permissions before and after. */
export function ImportReportView({ report }: { readonly report: FileReport }) {
  const t = useT();
  const part = (fate: Fate, icon: LucideIcon, isOpen: boolean): ReactNode => (
    <FateSection report={report} fate={fate} icon={icon} isOpen={isOpen} />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must be reachable by keyboard
    <section className="import-report" aria-label={t(words.report)} tabIndex={0}>
      {report.missing.length > 0 && (
        <Section icon={ListX} tone="pollen" title={t(words.missing)} count="">
          {report.missing.map((text) => (
            <p key={text.en}>{t(text)}</p>
          ))}
        </Section>
      )}
      {part("refused", CircleAlert, true)}
      {part("lost", CircleX, true)}
      {report.grants.length > 0 && <Permissions report={report} />}
      {part("kept", TextQuote, false)}
      {part("mapped", CircleCheck, false)}
    </section>
  );
}

function Section(props: {
  readonly icon: LucideIcon;
  readonly tone: string;
  readonly title: string;
  readonly count: string;
  readonly children: ReactNode;
}) {
  const { icon: Icon, tone, title, count, children } = props;
  return (
    <section>
      <h2>
        <Icon size={16} className={tone} aria-hidden="true" /> {title} <span className="count">{count}</span>
      </h2>
      {children}
    </section>
  );
}

const SHOWN = 8;
const tones: Readonly<Record<Fate, string>> = { refused: "berry", lost: "berry", kept: "water", mapped: "leaf" };

function FateSection(props: {
  readonly report: FileReport;
  readonly fate: Fate;
  readonly icon: LucideIcon;
  readonly isOpen: boolean;
}) {
  const { report, fate, icon, isOpen } = props;
  const t = useT();
  const entries = report.entries.filter((entry) => entry.fate === fate);
  if (entries.length === 0) return undefined;
  const first = isOpen ? entries : entries.slice(0, SHOWN);
  const rest = entries.slice(first.length);
  return (
    <Section icon={icon} tone={tones[fate]} title={t(words[fate])} count={t(words.keys, entries.length)}>
      <Entries entries={first} file={report.file} />
      {rest.length > 0 && (
        <details>
          <summary>{t(words.all, entries.length)}</summary>
          <Entries entries={rest} file={report.file} />
        </details>
      )}
    </Section>
  );
}

function Entries({ entries, file }: { readonly entries: FileReport["entries"]; readonly file: string }) {
  const t = useT();
  return (
    <dl className="import-entries">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <Fragment key={index}>
          <dt>
            <span className="mono quiet">{entry.file === file ? entry.line : `${entry.file}:${entry.line}`}</span>
            <span className="mono">{entry.key}</span>
          </dt>
          <dd>
            <ArrowRight size={13} aria-hidden="true" />
            <span>
              {t(entry.why)}
              {entry.to !== undefined && <span className="mono"> {entry.to}</span>}
            </span>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Permissions({ report }: { readonly report: FileReport }) {
  const t = useT();
  return (
    <Section icon={ShieldCheck} tone="leaf" title={t(words.permissions)} count={t(words.onlyShrink)}>
      <table className="table">
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
              <td className="quiet">{t(before)}</td>
              <td>{before.en === after.en ? t(after) : <b>{t(after)}</b>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const legend = {
  mapped: { en: "mapped", uk: "відтворено" },
  kept: { en: "kept as text, a model reads them", uk: "збережено як текст, їх читає модель" },
  lost: { en: "lost", uk: "втрачено" },
  refused: { en: "refused", uk: "відмовлено" },
} as const satisfies Record<Fate, Text>;

const words = {
  report: { en: "Report", uk: "Звіт" },
  sums: { en: "Sums", uk: "Підсумок" },
  verdict: {
    en: "Of {} [line|lines] that say something, {} are mapped, {} kept as text and {} lost.",
    uk: "Зі змістовних рядків ({}) відтворено {}, збережено як текст {}, втрачено {}.",
  },
  isRefused: {
    en: "The file is refused: no agent can be made of it.",
    uk: "У файлі відмовлено: агента з нього не зробити.",
  },
  shrunk: {
    en: "It may do less than before: {} [permission shrinks|permissions shrink].",
    uk: "Дозволено менше, ніж раніше: звужено {} [дозвіл|дозволи|дозволів].",
  },
  blank: { en: "{} blank or dividers", uk: "порожніх і роздільників: {}" },
  missing: { en: "To decide before it can run", uk: "Вирішити, перш ніж він запрацює" },
  refused: { en: "Refused", uk: "Відмовлено" },
  lost: { en: "Lost", uk: "Втрачено" },
  kept: { en: "Kept as text", uk: "Збережено як текст" },
  mapped: { en: "Mapped", uk: "Відтворено" },
  keys: { en: "{} [key|keys]", uk: "{} [ключ|ключі|ключів]" },
  all: { en: "All {}", uk: "Усі {}" },
  permissions: { en: "Permissions", uk: "Дозволи" },
  onlyShrink: { en: "can only shrink", uk: "можуть лише звузитися" },
  what: { en: "What", uk: "Що" },
  before: { en: "Before", uk: "До" },
  after: { en: "After", uk: "Після" },
} as const satisfies Record<string, Text>;
