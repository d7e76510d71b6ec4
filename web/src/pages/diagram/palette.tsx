import { type RefObject, useEffect, useState } from "react";
import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { applyOperation } from "../../../../src/drakon/edit/apply-operation.ts";
import { type Text, useSay } from "../../words/say.ts";
import type { Move } from "./moves.ts";

/** What can be done at the chosen place; what cannot says why. */
export function Palette(props: {
  readonly diagram: Diagram;
  readonly name: string;
  readonly moves: readonly Move[];
  readonly isLine: boolean;
  readonly onMove: (move: Move) => void;
  readonly onRefused: (reason: Text) => void;
  readonly onLeave: () => void;
  readonly palette: RefObject<HTMLElement | null>;
}) {
  const { diagram, name, moves, isLine, onMove, onRefused, onLeave, palette } = props;
  const say = useSay();
  const refusals = useRefusals(diagram, moves);
  const usual = moves.filter(({ rare }) => !rare);
  const rare = moves.filter((move) => move.rare);
  const shown = (list: readonly Move[]) => (
    <ul className="diagram-moves">
      {list.map((move) => {
        const refusal = refusals.get(move.id);
        return (
          <li key={move.id}>
            <button
              type="button"
              className={`button ${move.id === "delete" ? "danger" : ""}`}
              aria-disabled={refusal !== undefined}
              aria-describedby={refusal ? `why-${move.id.replaceAll(" ", "-")}` : undefined}
              onClick={() => (refusal ? onRefused(refusal) : onMove(move))}
            >
              {say(move.name)} {move.key !== undefined && <kbd>{keyNames[move.key] ?? move.key}</kbd>}
            </button>
            {refusal && (
              <p id={`why-${move.id.replaceAll(" ", "-")}`} className="small quiet break">
                {say(refusal)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <section
      ref={palette}
      className="card stack tight diagram-palette"
      aria-label={say(words.here)}
      onKeyDown={(event) => event.key === "Escape" && onLeave()}
    >
      <h2>{say(isLine ? words.insert : words.here)}</h2>
      <p className="small quiet break diagram-chosen">{name}</p>
      {shown(usual)}
      {rare.length > 0 && (
        <details>
          <summary>{say(words.more)}</summary>
          {shown(rare)}
        </details>
      )}
    </section>
  );
}

/**
 * Each move is tried on a copy, one at a time between what else the page has to do: in a large diagram all together would be
 * felt. Until it was tried a move counts as possible; when it is made it is tried anyway.
 */
function useRefusals(diagram: Diagram, moves: readonly Move[]): ReadonlyMap<string, Text> {
  const [tried, setTried] = useState<{
    readonly moves: readonly Move[];
    readonly refusals: ReadonlyMap<string, Text>;
  }>();
  useEffect(() => {
    const found = new Map<string, Text>();
    const waiting = moves.filter(({ attempt, rare, sure }) => attempt && !rare && !sure);
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const move = waiting.shift();
      if (!move?.attempt) {
        setTried({ moves, refusals: found });
        return;
      }
      const done = applyOperation(diagram, move.attempt);
      if (done.kind === "refused") found.set(move.id, done.reason);
      timer = setTimeout(next);
    };
    timer = setTimeout(next);
    return () => clearTimeout(timer);
  }, [diagram, moves]);
  return tried?.moves === moves ? tried.refusals : NONE;
}

const NONE: ReadonlyMap<string, Text> = new Map();

const keyNames: Readonly<Record<string, string>> = { Delete: "Del", Enter: "↵" };

const words = {
  here: { en: "What can be done here", uk: "Що тут можна зробити" },
  insert: { en: "Put on this line", uk: "Поставити на цю лінію" },
  more: { en: "More icons", uk: "Інші ікони" },
} as const satisfies Record<string, Text>;
