import { useState } from "react";
import { Empty, Failed, Shown } from "../../parts/state.tsx";
import { actionWords } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { useList } from "./use-list.ts";

const SOURCES = ["owner", "agent", "webhook", "guest"] as const;

/** Rules by which changes are approved without a person. Logic is never among them. */
export function Rules() {
  const say = useSay();
  const { read, save } = useList("rules");
  const [source, setSource] = useState<(typeof SOURCES)[number]>("agent");
  const [identity, setIdentity] = useState("");
  const [folder, setFolder] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  return (
    <section className="card stack tight" aria-labelledby="rules">
      <h2 id="rules">{say(words.title)}</h2>
      <p className="quiet">{say(words.about)}</p>
      <Shown of={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty>{say(words.none)}</Empty>}
            <ul className="stack tight">
              {items.map((rule) => (
                <li key={JSON.stringify(rule)} className="row between">
                  <span>
                    <strong>{rule.identity ?? say(words[rule.source])}</strong>:{" "}
                    {rule.actions.map((action) => say(actionWords[action]!)).join(", ")}
                    {rule.folder !== undefined && (
                      <>
                        {" "}
                        {say(words.inFolder)} <code>{rule.folder}</code>
                      </>
                    )}
                  </span>
                  <button
                    type="button"
                    className="button danger"
                    disabled={save.isPending}
                    onClick={() => save.mutate(items.filter((one) => one !== rule))}
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
                const rule = {
                  source,
                  ...(identity.trim() !== "" && { identity: identity.trim() }),
                  actions,
                  ...(folder.trim() !== "" && { folder: folder.trim() }),
                };
                save.mutate([...items, rule], { onSuccess: () => setActions([]) });
              }}
            >
              <h3>{say(words.add)}</h3>
              <div className="two">
                <label className="labelled">
                  <span>{say(words.source)}</span>
                  <select
                    className="field"
                    value={source}
                    onChange={({ target }) => setSource(target.value as typeof source)}
                  >
                    {SOURCES.map((each) => (
                      <option key={each} value={each}>
                        {say(words[each])}
                      </option>
                    ))}
                  </select>
                </label>
                <label className="labelled">
                  <span>{say(words.identity)}</span>
                  <input className="field" value={identity} onChange={({ target }) => setIdentity(target.value)} />
                </label>
              </div>
              <label className="labelled">
                <span>{say(words.folder)}</span>
                <input className="field" value={folder} onChange={({ target }) => setFolder(target.value)} />
              </label>
              <ActionsField label={say(words.actions)} actions={actions} onChange={setActions} />
              <p>
                <button type="submit" className="button" disabled={actions.length === 0 || save.isPending}>
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
  title: { en: "Approved without asking", uk: "Схвалюється без запитань" },
  about: {
    en: "What a rule names is applied at once, and is on record like everything else. Logic always waits for you.",
    uk: "Те, що названо правилом, застосовується одразу і записується, як усе інше. Логіка завжди чекає на вас.",
  },
  none: { en: "No rule: everything waits for you.", uk: "Правил немає: усе чекає на вас." },
  owner: { en: "owner", uk: "власник" },
  agent: { en: "any agent", uk: "будь-який агент" },
  webhook: { en: "any webhook", uk: "будь-який вебхук" },
  guest: { en: "any guest", uk: "будь-який гість" },
  inFolder: { en: "in", uk: "у" },
  remove: { en: "Remove", uk: "Вилучити" },
  add: { en: "A new rule", uk: "Нове правило" },
  addIt: { en: "Add the rule", uk: "Додати правило" },
  source: { en: "From", uk: "Від кого" },
  identity: { en: "Only this one (its name)", uk: "Лише цей (назва)" },
  folder: { en: "Only in this folder", uk: "Лише в цій теці" },
  actions: { en: "What", uk: "Що саме" },
} as const satisfies Record<string, Text>;
