import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The change of a proposal in one line. */
export function Preview({ card: { preview } }: { readonly card: ProposalCard }) {
  const t = useT();
  if (!preview) return null;
  return (
    <span className="preview">
      {preview.text}
      {preview.more > 0 && <span className="quiet"> {t(words.more, preview.more)}</span>}
    </span>
  );
}

const words = {
  more: { en: "and {} more [line|lines]", uk: "і ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
