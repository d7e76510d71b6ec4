import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { TextField } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { RuleRecord, RuleSuggestions } from "./rule-figures.tsx";
import { SettingsList } from "./settings-list.tsx";

const SOURCES = ["owner", "agent", "webhook", "guest"] as const;

/** Rules that approve changes automatically. Changes of logic are never among them. */
export function RuleSettings() {
  const t = useT();
  const [source, setSource] = useState<(typeof SOURCES)[number]>("agent");
  const [identity, setIdentity] = useState("");
  const [folder, setFolder] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const [isSuggested, setIsSuggested] = useState(false);
  const figures = useQuery(query("GET /settings/rules/figures", {})).data;
  const rule = {
    source,
    ...(identity.trim() !== "" && { identity: identity.trim() }),
    actions,
    ...(folder.trim() !== "" && { folder: folder.trim() }),
  };
  return (
    <SettingsList
      list="rules"
      labels={words}
      keyOf={(each) => JSON.stringify(each)}
      row={(each, index) => ({
        name: each.identity ?? t(words[each.source]),
        about: each.name,
        value: (
          <>
            {each.actions.map((action) => t(actionLabels[action]!)).join(", ")}
            {each.only !== undefined && <> ({t(words.ownValues)})</>}
            {each.folder !== undefined && (
              <>
                {" "}
                {t(words.inFolder)} <code>{each.folder}</code>
              </>
            )}
            <RuleRecord figures={figures?.rules[index]} />
          </>
        ),
      })}
      newItem={actions.length === 0 ? undefined : rule}
      onAdded={() => {
        setActions([]);
        setIsSuggested(false);
      }}
      isFormOpen={isSuggested}
      after={
        <RuleSuggestions
          suggestions={figures?.suggestions ?? []}
          onChoose={(suggestion) => {
            setSource("agent");
            setIdentity(suggestion.identity);
            setFolder(suggestion.folder ?? "");
            setActions([suggestion.action]);
            setIsSuggested(true);
          }}
        />
      }
    >
      <div className="two">
        <label className="labelled">
          <span>{t(words.source)}</span>
          <select className="field" value={source} onChange={({ target }) => setSource(target.value as typeof source)}>
            {SOURCES.map((each) => (
              <option key={each} value={each}>
                {t(words[each])}
              </option>
            ))}
          </select>
        </label>
        <TextField label={t(words.identity)} value={identity} onText={setIdentity} />
      </div>
      <TextField label={t(words.folder)} value={folder} onText={setFolder} />
      <ActionsField label={t(words.actions)} actions={actions} onChange={setActions} />
    </SettingsList>
  );
}

const words = {
  title: { en: "Auto-approve rules", uk: "Правила схвалення" },
  about: {
    en: "A change that matches a rule is applied at once, and recorded like any other. Changes of logic always need your approval.",
    uk: "Те, що названо правилом, застосовується одразу і записується, як усе інше. Логіка завжди чекає на вас.",
  },
  none: { en: "No rules: every change needs your approval.", uk: "Правил немає: усе чекає на вас." },
  owner: { en: "owner", uk: "власник" },
  agent: { en: "any agent", uk: "будь-який агент" },
  webhook: { en: "any webhook", uk: "будь-який вебхук" },
  guest: { en: "any guest", uk: "будь-який гість" },
  ownValues: { en: "only its own values", uk: "лише власні значення" },
  inFolder: { en: "in", uk: "у" },
  add: { en: "Add a rule", uk: "Додати правило" },
  addIt: { en: "Add rule", uk: "Додати правило" },
  source: { en: "From", uk: "Від кого" },
  identity: { en: "Name (optional)", uk: "Лише цей (назва)" },
  folder: { en: "Only in this folder (optional)", uk: "Лише в цій теці" },
  actions: { en: "Changes to approve", uk: "Що саме" },
} as const satisfies Record<string, Text>;
