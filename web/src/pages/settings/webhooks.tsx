import { useState } from "react";
import { Empty, Failed, Shown } from "../../parts/state.tsx";
import { actionWords } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { useList } from "./use-list.ts";

/** Programs elsewhere that may propose something. Their secrets stay in the environment; here stands only its name. */
export function Webhooks() {
  const say = useSay();
  const { read, save } = useList("webhooks");
  const [name, setName] = useState("");
  const [variable, setVariable] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const isWhole = name.trim() !== "" && variable.trim() !== "" && actions.length > 0;
  return (
    <section className="card stack tight" aria-labelledby="webhooks">
      <h2 id="webhooks">{say(words.title)}</h2>
      <Shown of={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty>{say(words.none)}</Empty>}
            <ul className="stack tight">
              {items.map((hook) => (
                <li key={hook.name} className="row between">
                  <span>
                    <strong>{hook.name}</strong> <code>{hook.secret_env}</code>{" "}
                    {hook.actions.map((action) => say(actionWords[action]!)).join(", ")}
                  </span>
                  <button
                    type="button"
                    className="button danger"
                    disabled={save.isPending}
                    onClick={() => save.mutate(items.filter((one) => one !== hook))}
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
                save.mutate([...items, { name: name.trim(), secret_env: variable.trim(), actions }], {
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
                  <span>{say(words.variable)}</span>
                  <input className="field" value={variable} onChange={({ target }) => setVariable(target.value)} />
                </label>
              </div>
              <ActionsField label={say(words.actions)} actions={actions} onChange={setActions} />
              <p>
                <button type="submit" className="button" disabled={!isWhole || save.isPending}>
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
  title: { en: "Webhooks", uk: "Вебхуки" },
  none: { en: "No webhook.", uk: "Вебхуків немає." },
  remove: { en: "Remove", uk: "Вилучити" },
  add: { en: "A new webhook", uk: "Новий вебхук" },
  addIt: { en: "Add the webhook", uk: "Додати вебхук" },
  name: { en: "Name", uk: "Назва" },
  variable: { en: "Environment variable with its secret", uk: "Змінна середовища з його секретом" },
  actions: { en: "What it may propose", uk: "Що він може пропонувати" },
} as const satisfies Record<string, Text>;
