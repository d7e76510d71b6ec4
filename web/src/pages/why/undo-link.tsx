import { Undo2 } from "lucide-react";
import { ProposalLink } from "../../components/links.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Leads to the change, where undoing it is armed and shows what it would undo. */
export function UndoLink({ id }: { readonly id: string }) {
  const t = useT();
  return (
    <ProposalLink id={id} className="button small">
      <Undo2 size={14} aria-hidden="true" />
      {t(words.undo)}
    </ProposalLink>
  );
}

const words = { undo: { en: "Undo this change…", uk: "Скасувати цю зміну…" } } as const satisfies Record<string, Text>;
