import { useState } from "react";
import { TextField } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { SettingsList } from "./settings-list.tsx";

/** Webhooks that may submit proposals. Only the name of the variable with the secret is stored, never the secret. */
export function WebhookSettings() {
  const t = useT();
  const [name, setName] = useState("");
  const [variable, setVariable] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const webhook = { name: name.trim(), secret_env: variable.trim(), actions };
  const isComplete = webhook.name !== "" && webhook.secret_env !== "" && actions.length > 0;
  return (
    <SettingsList
      list="webhooks"
      labels={words}
      keyOf={(each) => each.name}
      row={(each) => ({
        name: each.name,
        about: <code>{each.secret_env}</code>,
        value: each.actions.map((action) => t(actionLabels[action]!)).join(", "),
      })}
      newItem={isComplete ? webhook : undefined}
      onAdded={() => setName("")}
    >
      <div className="two">
        <TextField label={t(words.name)} value={name} onText={setName} />
        <TextField label={t(words.variable)} value={variable} onText={setVariable} />
      </div>
      <ActionsField label={t(words.actions)} actions={actions} onChange={setActions} />
    </SettingsList>
  );
}

const words = {
  title: { en: "Webhooks", uk: "Вебхуки" },
  about: {
    en: "Programs that may propose changes, each with a signing secret.",
    uk: "Програми, що можуть пропонувати зміни; кожна підписує своїм секретом.",
  },
  none: { en: "No webhooks", uk: "Вебхуків немає." },
  add: { en: "Add a webhook", uk: "Додати вебхук" },
  addIt: { en: "Add webhook", uk: "Додати вебхук" },
  name: { en: "Name", uk: "Назва" },
  variable: { en: "Environment variable with its secret", uk: "Змінна середовища з його секретом" },
  actions: { en: "May propose", uk: "Що він може пропонувати" },
} as const satisfies Record<string, Text>;
