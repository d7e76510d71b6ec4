import { type Text, useT } from "../../i18n/use-t.ts";
import { COMMON_ICONS } from "./line-commands.ts";

/** New icons with their keys: drag one onto a line, or click it and then the line. Each says what it does on hover. */
export function IconPalette({
  tools,
  isTaken,
  onTake,
  onHold,
}: {
  /** The tools that the contract allows. */
  readonly tools: readonly string[];
  readonly isTaken: (name: Text) => boolean;
  readonly onTake: (id: string, name: Text) => void;
  readonly onHold: (event: React.PointerEvent, id: string, name: Text) => void;
}) {
  const t = useT();
  return (
    <div className="diagram-stock-pane">
      <p className="label">{t(words.insert)}</p>
      <ul className="diagram-stock" aria-label={t(words.stock)}>
        {COMMON_ICONS.map(({ id, name, key, about, shape }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={isTaken(name)}
              title={`${t(about)}\n${t(words.how)}`}
              onPointerDown={(event) => onHold(event, id, name)}
              onClick={() => onTake(id, name)}
            >
              <svg viewBox="0 0 28 18" aria-hidden="true">
                <path d={shape} />
              </svg>
              <span>{t(name)}</span>
              <kbd aria-hidden="true">{key}</kbd>
            </button>
          </li>
        ))}
      </ul>
      {tools.length > 0 && (
        <div className="diagram-tools">
          <p className="label">{t(words.tools)}</p>
          <ul>
            {tools.map((tool) => (
              <li key={tool} className="mono" title={t(words.typed, tool)}>
                {tool}()
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

const words = {
  insert: { en: "Insert", uk: "Вставити" },
  stock: { en: "New icons", uk: "Нові ікони" },
  tools: { en: "Tools", uk: "Інструменти" },
  typed: { en: "Type {} in an action to call it", uk: "Напишіть {} у дії, щоб викликати" },
  how: {
    en: "Drag onto a line, or click here and then on the line",
    uk: "Перетягніть на лінію або клацніть тут, а потім на лінії",
  },
} as const satisfies Record<string, Text>;
