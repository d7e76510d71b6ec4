import { Check, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { ContractNote } from "./contract-notes.ts";

/**
 * The file as text. A copy of its lines lies behind the field and gives it its height, the numbers and the marks; the field itself is
 * transparent, so that both break lines in the same places.
 */
export function ContractText(props: {
  readonly slug: string;
  readonly text: string;
  readonly notes: readonly ContractNote[];
  readonly onText: (text: string | undefined) => void;
}) {
  const { slug, text, notes, onText } = props;
  const t = useT();
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = text.split("\n");
  const goTo = (line: number): void => {
    const at = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    field.current?.focus();
    field.current?.setSelectionRange(at, at + (lines[line - 1]?.length ?? 0));
  };
  return (
    <section className="contract-text" aria-label={t(words.file)}>
      <div className="contract-lines">
        <ol aria-hidden="true">
          {lines.map((line, index) => {
            const note = notes.find((each) => each.line === index + 1);
            return (
              // oxlint-disable-next-line no-array-index-key -- lines keep their order
              <li key={index} className={note ? `noted ${note.tone}` : lineKind(line)}>
                <i>{note ? <TriangleAlert size={13} /> : /^#+ /.test(line) ? <Check size={13} /> : null}</i>
                <b>{index + 1}</b>
                <span>{line === "" ? "\u200b" : line}</span>
              </li>
            );
          })}
        </ol>
        <textarea
          ref={field}
          aria-label={`agents/${slug}/_agent.md`}
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      </div>
      {notes.length > 0 && (
        <ul className="contract-notes" role="alert">
          {notes.map((note) => (
            <li key={`${note.line} ${note.words.en}`} className={note.tone} role="note">
              <button type="button" className="line-link" onClick={() => goTo(note.line)}>
                {t(words.line, note.line)}
              </button>
              <span>{t(note.words)}</span>
              {note.repairs
                .filter((repair) => repair.text !== undefined)
                .map((repair) => (
                  <Button key={repair.label.en} tone="small" onClick={() => onText(repair.text)}>
                    {t(repair.label)}
                  </Button>
                ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const lineKind = (line: string): string | undefined =>
  /^#+ /.test(line) ? "heading" : /^\s*#/.test(line) ? "remark" : undefined;

const words = {
  file: { en: "Contract source", uk: "Текст контракту" },
  line: { en: "Line {}:", uk: "Рядок {}:" },
} as const satisfies Record<string, Text>;
