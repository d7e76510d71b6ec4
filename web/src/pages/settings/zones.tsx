import { useState } from "react";
import { Empty, Failed, Shown } from "../../parts/state.tsx";
import { actionWords } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { useList } from "./use-list.ts";

/** Folders that guests may read, and what they may propose there. */
export function Zones() {
  const say = useSay();
  const { read, save } = useList("zones");
  const [name, setName] = useState("");
  const [folders, setFolders] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const named = folders.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
  return (
    <section className="card stack tight" aria-labelledby="zones">
      <h2 id="zones">{say(words.title)}</h2>
      <Shown of={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty>{say(words.none)}</Empty>}
            <ul className="stack tight">
              {items.map((zone) => (
                <li key={zone.name} className="row between">
                  <span>
                    <strong>{zone.name}</strong> <code>{zone.folders.join(", ")}</code>{" "}
                    {zone.actions.map((action) => say(actionWords[action]!)).join(", ")}
                    {zone.expires !== undefined && ` · ${say(words.until)} ${zone.expires}`}
                  </span>
                  <button
                    type="button"
                    className="button danger"
                    disabled={save.isPending}
                    onClick={() => save.mutate(items.filter((one) => one !== zone))}
                  >
                    {say(words.remove)}
                  </button>
                </li>
              ))}
            </ul>
            <form
              className="stack tight"
              onSubmit={(event) => {
                event.preventDefault();
                save.mutate([...items, { name: name.trim(), folders: named, actions }], {
                  onSuccess: () => setName(""),
                });
              }}
            >
              <h3>{say(words.add)}</h3>
              <div className="two">
                <label className="labelled">
                  <span>{say(words.name)}</span>
                  <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
                </label>
                <label className="labelled">
                  <span>{say(words.folders)}</span>
                  <input className="field" value={folders} onChange={({ target }) => setFolders(target.value)} />
                </label>
              </div>
              <ActionsField label={say(words.actions)} actions={actions} onChange={setActions} />
              <p>
                <button
                  type="submit"
                  className="button"
                  disabled={name.trim() === "" || named.length === 0 || save.isPending}
                >
                  {say(words.addIt)}
                </button>
              </p>
            </form>
            {save.error && <Failed error={save.error} />}
          </>
        )}
      </Shown>
    </section>
  );
}

const words = {
  title: { en: "Zones for guests", uk: "Зони для гостей" },
  none: { en: "No zone: nobody else comes in.", uk: "Зон немає: більше ніхто не заходить." },
  until: { en: "until", uk: "до" },
  remove: { en: "Remove", uk: "Вилучити" },
  add: { en: "A new zone", uk: "Нова зона" },
  addIt: { en: "Add the zone", uk: "Додати зону" },
  name: { en: "Name", uk: "Назва" },
  folders: { en: "Folders, with commas between", uk: "Теки, через кому" },
  actions: { en: "What guests may propose there", uk: "Що гості можуть там пропонувати" },
} as const satisfies Record<string, Text>;
