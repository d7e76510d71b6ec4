import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "../note/note-links.ts";

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
  if (action !== "propose-edit" && action !== "propose-artifact") return plainWords(text);
  const at = text.indexOf(" → ");
  if (at >= 0)
    return (
      <>
        <del>{text.slice(0, at)}</del> → <ins>{text.slice(at + 3)}</ins>
      </>
    );
  // The mark of a heading says nothing in one line. Where words were replaced, the marks may be the change.
  const shown = plainWords(text).replace(/^([+−] )#{1,6} /, "$1");
  if (text.startsWith("+ ")) return <ins>{shown}</ins>;
  return text.startsWith("− ") ? <del>{shown}</del> : shown;
}

const Tagged = ({ tag }: { readonly tag: string }) => (
  <>{tag.startsWith("−") ? <del>{tag.slice(1)}</del> : <ins>{tag.replace("+#", "+ ")}</ins>} </>
);

const words = {
  more: { en: "and {} more [line|lines]", uk: "і ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
