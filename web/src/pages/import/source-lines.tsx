import { type Text, useT } from "../../i18n/use-t.ts";
import type { SourceLine } from "./line-fates.ts";

/** More lines than these are left out: the report has their keys. */
const MOST_LINES = 3000;

/** The source, line by line, with the fate of each. */
export function SourceLines({ file, lines }: { readonly file: string; readonly lines: readonly SourceLine[] }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must be reachable by keyboard
    <section className="import-source" aria-label={file} tabIndex={0}>
      {lines.slice(0, MOST_LINES).map(({ number, text, fate, entry }) => (
        <div key={number} className="source-line" data-fate={fate}>
          <span className="number">{number}</span>
          {fate === "lost" || fate === "refused" ? <s>{text}</s> : <span className="text">{text}</span>}
          <span className="becomes">{entry && fate !== undefined && becomes(entry, t)}</span>
        </div>
      ))}
      {lines.length > MOST_LINES && <p className="quiet">{t(words.more, lines.length - MOST_LINES)}</p>}
    </section>
  );
}

function becomes({ fate, to }: NonNullable<SourceLine["entry"]>, t: ReturnType<typeof useT>): string {
  return fate === "mapped" ? (to ?? "") : t(words[fate]);
}

const words = {
  kept: { en: "kept as text", uk: "збережено як текст" },
  lost: { en: "lost", uk: "втрачено" },
  refused: { en: "refused", uk: "відмовлено" },
  more: { en: "{} more [line|lines]", uk: "Ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
