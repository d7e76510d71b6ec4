import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The change of a proposal in one line: removed words struck through, added ones marked. */
export function Preview({ card: { action, preview } }: { readonly card: ProposalCard }) {
  const t = useT();
  if (!preview) return null;
  return (
    <span className="preview">
      <Line action={action} text={preview.text} />
      {preview.more > 0 && <span className="quiet"> {t(words.more, preview.more)}</span>}
    </span>
  );
}

function Line({ action, text }: { readonly action: string; readonly text: string }) {
  if (action === "propose-tag") return text.split(" ").map((tag) => <Tagged key={tag} tag={tag} />);
  if (action !== "propose-edit" && action !== "propose-artifact") return text;
  const at = text.indexOf(" → ");
  if (at >= 0)
    return (
      <>
        <del>{text.slice(0, at)}</del> → <ins>{text.slice(at + 3)}</ins>
      </>
    );
  if (text.startsWith("+ ")) return <ins>{text}</ins>;
  return text.startsWith("− ") ? <del>{text}</del> : text;
}

const Tagged = ({ tag }: { readonly tag: string }) => (
  <>{tag.startsWith("−") ? <del>{tag.slice(1)}</del> : <ins>{tag.replace("+#", "+ ")}</ins>} </>
);

const words = {
  more: { en: "and {} more [line|lines]", uk: "і ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
