import { type Text, useT } from "../../i18n/use-t.ts";
import { COMMON_ICONS } from "./line-commands.ts";

/** New icons: drag one onto a line, or click it and then the line. */
export function IconPalette({
  isTaken,
  onTake,
  onHold,
}: {
  readonly isTaken: (name: Text) => boolean;
  readonly onTake: (id: string, name: Text) => void;
  readonly onHold: (event: React.PointerEvent, id: string, name: Text) => void;
}) {
  const t = useT();
  return (
    <ul className="diagram-stock" aria-label={t(words.stock)}>
      {COMMON_ICONS.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={`button shape ${id.replace(/^insert[ -]/, "")}`}
            aria-pressed={isTaken(name)}
            title={t(words.how)}
            onPointerDown={(event) => onHold(event, id, name)}
            onClick={() => onTake(id, name)}
          >
            {t(name)}
          </button>
        </li>
      ))}
    </ul>
  );
}

const words = {
  stock: { en: "New icons", uk: "Нові ікони" },
  how: {
    en: "Drag onto a line, or click here and then on the line",
    uk: "Перетягніть на лінію або клацніть тут, а потім на лінії",
  },
} as const satisfies Record<string, Text>;
