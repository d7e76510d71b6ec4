import { ApiError } from "../../api/client.ts";
import type { Review } from "../../api/endpoints.gen.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Conflicting lines, current and own side by side, with a button that keeps both. */
export function EditConflict({ error, onBoth }: { readonly error: Error; readonly onBoth: () => void }) {
  const t = useT();
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(words.clash)}</strong>
      </p>
      {conflictsOf(error).flatMap(({ hunks }) =>
        hunks.map(({ line, ours, theirs }) => (
          <div key={line} className="conflict">
            <div>
              <p className="quiet small">{t(words.standing, line)}</p>
              <pre>{ours}</pre>
            </div>
            <div>
              <p className="quiet small">{t(words.yours)}</p>
              <pre>{theirs}</pre>
            </div>
          </div>
        )),
      )}
      <p className="row">
        <Button onClick={onBoth}>{t(words.both)}</Button>
        <span className="quiet small">{t(words.after)}</span>
      </p>
    </div>
  );
}

export const conflictsOf = (error: Error | null): Review["conflicts"] =>
  error instanceof ApiError && Array.isArray(error.details["conflicts"])
    ? (error.details["conflicts"] as Review["conflicts"])
    : [];

const words = {
  clash: {
    en: "The same lines were changed while you were editing. Nothing was saved, and your text is kept.",
    uk: "Поки ви писали, хтось змінив ті самі рядки. Нічого не збережено, і нічого вашого не втрачено.",
  },
  standing: { en: "Current text (line {})", uk: "Як є зараз (рядок {})" },
  yours: { en: "Your text", uk: "Як написали ви" },
  both: { en: "Insert both versions", uk: "Вставити обидва варіанти" },
  after: { en: "Then keep the one you want and save.", uk: "Далі виберіть потрібне і збережіть." },
} as const satisfies Record<string, Text>;
