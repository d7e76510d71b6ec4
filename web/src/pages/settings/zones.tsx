import { useState } from "react";
import { TextField } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { SettingsList } from "./settings-list.tsx";

/** Folders that guests may read, and what they may propose there. */
export function ZoneSettings() {
  const t = useT();
  const [name, setName] = useState("");
  const [folders, setFolders] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const folderList = folders.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
  const isComplete = name.trim() !== "" && folderList.length > 0;
  return (
    <SettingsList
      list="zones"
      labels={words}
      keyOf={(each) => each.name}
      row={(each) => ({
        name: each.name,
        about: each.expires === undefined ? undefined : `${t(words.until)} ${each.expires}`,
        value: (
          <>
            <code>{each.folders.join(", ")}</code>{" "}
            {each.actions.length === 0
              ? t(words.readsOnly)
              : each.actions.map((action) => t(actionLabels[action]!)).join(", ")}
          </>
        ),
      })}
      newItem={isComplete ? { name: name.trim(), folders: folderList, actions } : undefined}
      onAdded={() => setName("")}
    >
      <div className="two">
        <TextField label={t(words.name)} value={name} onText={setName} />
        <TextField label={t(words.folders)} value={folders} onText={setFolders} />
      </div>
      <ActionsField label={t(words.actions)} actions={actions} onChange={setActions} />
    </SettingsList>
  );
}

const words = {
  title: { en: "Guests", uk: "Гості" },
  about: {
    en: "A guest sees only the folders of a zone. Make a code for one under “Tokens and sessions”.",
    uk: "Гість бачить лише теки своєї зони. Код для нього — у розділі «Токени й сеанси».",
  },
  readsOnly: { en: "may only read", uk: "лише читає" },
  none: { en: "No zones: only you have access.", uk: "Зон немає: більше ніхто не заходить." },
  until: { en: "until", uk: "до" },
  add: { en: "Add a zone", uk: "Додати зону" },
  addIt: { en: "Add zone", uk: "Додати зону" },
  name: { en: "Name", uk: "Назва" },
  folders: { en: "Folders, separated by commas", uk: "Теки, через кому" },
  actions: { en: "Guests may propose", uk: "Що гості можуть там пропонувати" },
} as const satisfies Record<string, Text>;
