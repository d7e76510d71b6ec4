import { type Text, useSay } from "../../words/say.ts";
import { COMMON } from "./moves.ts";

/** New icons, to be drawn onto a line, or taken with a click and put on the line that is clicked next. */
export function Stock({
  isTaken,
  onTake,
  onHold,
}: {
  readonly isTaken: (name: Text) => boolean;
  readonly onTake: (id: string, name: Text) => void;
  readonly onHold: (event: React.PointerEvent, id: string, name: Text) => void;
}) {
  const say = useSay();
  return (
    <ul className="diagram-stock" aria-label={say(words.stock)}>
      {COMMON.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={`button shape ${id.replace(/^insert[ -]/, "")}`}
            aria-pressed={isTaken(name)}
            title={say(words.how)}
            onPointerDown={(event) => onHold(event, id, name)}
            onClick={() => onTake(id, name)}
          >
            {say(name)}
          </button>
        </li>
      ))}
    </ul>
  );
}

const words = {
  stock: { en: "New icons", uk: "Нові ікони" },
  how: {
    en: "Draw it onto a line, or click it and then the line",
    uk: "Перетягніть на лінію або клацніть тут, а потім на лінії",
  },
} as const satisfies Record<string, Text>;
