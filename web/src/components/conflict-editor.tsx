import { Pencil, TriangleAlert } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { type ConflictChoice, conflictPieces, resolvedText, type TextPiece } from "./conflict-text.ts";
import { Button, TextArea } from "./form.tsx";
import { wordParts } from "./patch.ts";
import { useKeys } from "./use-keys.ts";
import "../style/conflict.css";

/** The text of a resolved file; null removes it. */
export type ResolvedFile = string | null;

export interface ConflictedFile {
  readonly path: string;
  readonly why: Text;
  readonly text: string | null;
}

/**
 * A file that two branches changed in the same place. Nothing is chosen beforehand: for every place the words of one side, both, or one's
 * own. `onResolved` gets the whole text once every place has words, and undefined while one has not.
 */
export function ConflictEditor(props: {
  readonly file: ConflictedFile;
  /** The two commits, and what to call them. */
  readonly ours: { readonly commit: string; readonly name: string };
  readonly theirs: { readonly commit: string; readonly name: string };
  /** `1`, `2` and `3` choose at the first open place. */
  readonly hasKeys: boolean;
  readonly onResolved: (text: ResolvedFile | undefined) => void;
}) {
  const { file, ours, theirs, hasKeys, onResolved } = props;
  const pieces = useMemo(
    () => conflictPieces(file.text ?? "", ours.commit, theirs.commit),
    [file.text, ours.commit, theirs.commit],
  );
  const [choices, setChoices] = useState<ReadonlyMap<number, ConflictChoice>>(new Map());
  const places = pieces.filter((piece) => piece.kind === "choice");
  const choose = (line: number, choice: ConflictChoice): void => {
    const now = new Map(choices).set(line, choice);
    setChoices(now);
    onResolved(resolvedText(pieces, now));
  };
  const first = places.find(({ line }) => !choices.has(line));
  useKeys(
    hasKeys && first
      ? {
          "1": () => choose(first.line, "ours"),
          "2": () => choose(first.line, "theirs"),
          "3": () => choose(first.line, "both"),
        }
      : {},
  );
  if (places.length === 0) return <WholeFile file={file} onResolved={onResolved} />;
  return places.map((place) => (
    <Place
      key={place.line}
      place={place}
      path={file.path}
      names={{ ours: ours.name, theirs: theirs.name }}
      choice={choices.get(place.line)}
      hasKeys={hasKeys && place === first}
      onChoose={(choice) => choose(place.line, choice)}
    />
  ));
}

function Place(props: {
  readonly place: Extract<TextPiece, { kind: "choice" }>;
  readonly path: string;
  readonly names: { readonly ours: string; readonly theirs: string };
  readonly choice: ConflictChoice | undefined;
  readonly hasKeys: boolean;
  readonly onChoose: (choice: ConflictChoice) => void;
}) {
  const { place, path, names, choice, hasKeys, onChoose } = props;
  const t = useT();
  const group = useId();
  const parts = useMemo(() => wordParts(place.ours, place.theirs), [place]);
  const own = typeof choice === "object" ? choice.text : undefined;
  return (
    <div className="conflict-place" role="group" aria-label={t(words.place, place.line, path)}>
      <p className="conflict-title">
        <TriangleAlert size={16} aria-hidden="true" />
        {t(words.which, place.line)}
      </p>
      <div className="conflict-sides">
        {(["ours", "theirs"] as const).map((side, index) => (
          <label key={side}>
            <input type="radio" name={group} checked={choice === side} onChange={() => onChoose(side)} />
            <span>
              <span className="conflict-words break">
                {place[side] === ""
                  ? t(words.nothing)
                  : parts
                      .filter(({ mark }) => mark !== (side === "ours" ? "added" : "removed"))
                      .map(({ text, mark }, at) =>
                        // oxlint-disable-next-line react/no-array-index-key -- the words of a text keep their order
                        mark === "same" ? text : <b key={at}>{text}</b>,
                      )}
              </span>
              <span className="meta">{names[side]}</span>
            </span>
            {hasKeys && <kbd aria-hidden="true">{index + 1}</kbd>}
          </label>
        ))}
      </div>
      <div className="conflict-more">
        <Button tone="small" aria-pressed={choice === "both"} onClick={() => onChoose("both")}>
          {t(words.both)} {hasKeys && <kbd aria-hidden="true">3</kbd>}
        </Button>
        <Button
          tone="ghost small"
          aria-pressed={own !== undefined}
          onClick={() => onChoose({ text: own ?? place.theirs })}
        >
          <Pencil size={13} aria-hidden="true" />
          {t(words.write)}
        </Button>
      </div>
      {own !== undefined && (
        <div className="conflict-own">
          <TextArea label={t(words.own)} rows={4} value={own} onText={(text) => onChoose({ text })} />
        </div>
      )}
    </div>
  );
}

/** A conflict that is not about lines: one side removed or renamed the file that the other changed. */
function WholeFile({
  file,
  onResolved,
}: {
  readonly file: ConflictedFile;
  readonly onResolved: (text: ResolvedFile | undefined) => void;
}) {
  const t = useT();
  const [choice, setChoice] = useState<"keep" | "remove">();
  const [text, setText] = useState(file.text ?? "");
  useEffect(() => {
    onResolved(choice === undefined ? undefined : choice === "remove" ? null : text);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what was chosen is reported
  }, [choice, text]);
  return (
    <div className="conflict-place" role="group" aria-label={file.path}>
      <p className="conflict-title">
        <TriangleAlert size={16} aria-hidden="true" />
        {t(file.why)}
      </p>
      <div className="conflict-more">
        <Button tone="small" aria-pressed={choice === "keep"} onClick={() => setChoice("keep")}>
          {t(words.keep)}
        </Button>
        <Button tone="small danger" aria-pressed={choice === "remove"} onClick={() => setChoice("remove")}>
          {t(words.remove)}
        </Button>
      </div>
      {choice === "keep" && (
        <div className="conflict-own">
          <TextArea label={t(words.content)} rows={8} value={text} onText={setText} />
        </div>
      )}
    </div>
  );
}

const words = {
  place: { en: "Conflict in line {} of {}", uk: "Розбіжність у рядку {} файлу {}" },
  which: {
    en: "Line {} was changed by both. Which words stay?",
    uk: "Рядок {} змінили обидві сторони. Які слова лишаться?",
  },
  nothing: { en: "(removed)", uk: "(вилучено)" },
  both: { en: "Both, one after the other", uk: "Обидва, одне за одним" },
  write: { en: "Write it yourself", uk: "Написати самому" },
  own: { en: "Your words", uk: "Ваші слова" },
  keep: { en: "Keep the file", uk: "Лишити файл" },
  remove: { en: "Remove the file", uk: "Вилучити файл" },
  content: { en: "Content", uk: "Вміст" },
} as const satisfies Record<string, Text>;
