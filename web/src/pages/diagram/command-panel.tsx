import { type RefObject, useEffect, useState } from "react";
import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { applyOperation } from "../../../../src/drakon/edit/apply-operation.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { EditorCommand } from "./command.ts";

/** The commands of the chosen place. One that is not possible says why. */
export function CommandPanel(props: {
  readonly diagram: Diagram;
  readonly name: string;
  readonly commands: readonly EditorCommand[];
  readonly isLine: boolean;
  readonly onCommand: (command: EditorCommand) => void;
  readonly onRefused: (reason: Text) => void;
  readonly onLeave: () => void;
  readonly panel: RefObject<HTMLElement | null>;
}) {
  const { diagram, name, commands, isLine, onCommand, onRefused, onLeave, panel } = props;
  const t = useT();
  const refusals = useRefusals(diagram, commands);
  const usual = commands.filter((command) => !command.rare);
  const rare = commands.filter((command) => command.rare);
  const shown = (list: readonly EditorCommand[]) => (
    <ul className="diagram-moves">
      {list.map((command) => {
        const { id, key } = command;
        const refusal = refusals.get(id);
        const reasonId = `why-${id.replaceAll(" ", "-")}`;
        return (
          <li key={id}>
            <Button
              tone={id === "delete" ? "danger" : ""}
              aria-disabled={refusal !== undefined}
              aria-describedby={refusal ? reasonId : undefined}
              onClick={() => (refusal ? onRefused(refusal) : onCommand(command))}
            >
              {t(command.name)} {key !== undefined && <kbd>{keyNames[key] ?? key}</kbd>}
            </Button>
            {refusal && (
              <p id={reasonId} className="small quiet break">
                {t(refusal)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <section
      ref={panel}
      className="card stack tight diagram-palette"
      aria-label={t(words.here)}
      onKeyDown={(event) => event.key === "Escape" && onLeave()}
    >
      <h2>{t(isLine ? words.insert : words.here)}</h2>
      <p className="small quiet break diagram-chosen">{name}</p>
      {shown(usual)}
      {rare.length > 0 && (
        <details>
          <summary>{t(words.more)}</summary>
          {shown(rare)}
        </details>
      )}
    </section>
  );
}

/**
 * Tries each command on a copy, one per task: in a large diagram all of them at once would block the page. Until it was tried, a command
 * counts as possible; it is tried again when it is run.
 */
function useRefusals(diagram: Diagram, commands: readonly EditorCommand[]): ReadonlyMap<string, Text> {
  const [tried, setTried] = useState<{
    readonly commands: readonly EditorCommand[];
    readonly refusals: ReadonlyMap<string, Text>;
  }>();
  useEffect(() => {
    const found = new Map<string, Text>();
    const waiting = commands.filter(({ attempt, rare, sure }) => attempt && !rare && !sure);
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const command = waiting.shift();
      if (!command?.attempt) {
        setTried({ commands, refusals: found });
        return;
      }
      const done = applyOperation(diagram, command.attempt);
      if (done.kind === "refused") found.set(command.id, done.reason);
      timer = setTimeout(next);
    };
    timer = setTimeout(next);
    return () => clearTimeout(timer);
  }, [diagram, commands]);
  return tried?.commands === commands ? tried.refusals : NONE;
}

const NONE: ReadonlyMap<string, Text> = new Map();

const keyNames: Readonly<Record<string, string>> = { Delete: "Del", Enter: "↵" };

const words = {
  here: { en: "Actions", uk: "Що тут можна зробити" },
  insert: { en: "Insert on this line", uk: "Поставити на цю лінію" },
  more: { en: "More icons", uk: "Інші ікони" },
} as const satisfies Record<string, Text>;
