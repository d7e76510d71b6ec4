import { useState } from "react";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { forgetDraft, keptDraft } from "../../parts/draft.ts";
import { type Text, useSay } from "../../words/say.ts";
import { editDraft, noteDraft } from "./use-decision.ts";

/** What somebody had typed for a decision that another one came before: it is shown, so that it can be taken elsewhere. */
export function Unsent({ proposal: { id, approval } }: { readonly proposal: Whole }) {
  const say = useSay();
  const [kept, setKept] = useState(() =>
    [noteDraft(id), editDraft(id)].flatMap((name) => {
      const text = keptDraft(name);
      return text === undefined || text.trim() === approval?.decision_note ? [] : [{ name, text }];
    }),
  );
  if (kept.length === 0) return null;
  return (
    <section className="card stack tight" role="status">
      <p>
        <strong>{say(words.meanwhile)}</strong> {say(words.kept)}
      </p>
      {kept.map(({ name, text }) => (
        <pre key={name} className="value">
          {text}
        </pre>
      ))}
      <p>
        <button
          type="button"
          className="button"
          onClick={() => {
            for (const { name } of kept) forgetDraft(name);
            setKept([]);
          }}
        >
          {say(words.discard)}
        </button>
      </p>
    </section>
  );
}

const words = {
  meanwhile: {
    en: "This was decided before you sent your decision.",
    uk: "Це вирішили раніше, ніж ви надіслали своє рішення.",
  },
  kept: { en: "What you had typed:", uk: "Ви ввели:" },
  discard: { en: "Discard it", uk: "Відкинути" },
} as const satisfies Record<string, Text>;
