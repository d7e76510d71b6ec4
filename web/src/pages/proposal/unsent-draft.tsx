import { useState } from "react";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { deleteDraft, storedDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { editDraft, noteDraft, reviseDraft } from "./use-decision.ts";

/** The typed text of a decision that came too late, so that it can be copied. */
export function UnsentDraft({ proposal: { id, approval } }: { readonly proposal: Whole }) {
  const t = useT();
  const [kept, setKept] = useState(() =>
    [noteDraft(id), reviseDraft(id), editDraft(id)].flatMap((name) => {
      const text = storedDraft(name);
      return text === undefined || text.trim() === approval?.decision_note ? [] : [{ name, text }];
    }),
  );
  if (kept.length === 0) return null;
  return (
    <section className="card stack tight" role="status">
      <p>
        <strong>{t(words.meanwhile)}</strong> {t(words.kept)}
      </p>
      {kept.map(({ name, text }) => (
        <pre key={name} className="value">
          {text}
        </pre>
      ))}
      <p>
        <Button
          onClick={() => {
            for (const { name } of kept) deleteDraft(name);
            setKept([]);
          }}
        >
          {t(words.discard)}
        </Button>
      </p>
    </section>
  );
}

const words = {
  meanwhile: { en: "This was already decided.", uk: "Це вирішили раніше, ніж ви надіслали своє рішення." },
  kept: { en: "Your unsent text:", uk: "Ви ввели:" },
  discard: { en: "Discard", uk: "Відкинути" },
} as const satisfies Record<string, Text>;
